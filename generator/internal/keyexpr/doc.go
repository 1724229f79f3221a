// Package keyexpr compiles the expressions of directives: source text and a
// scope of Go objects go in, checked Go code comes out. It knows no
// directives.
//
// The syntax is that of github.com/expr-lang/expr, whose parser it uses.
// Names, fields, methods and calls are checked against go/types, so that code
// which is emitted compiles.
//
// # Texts
//
// A value has a text when there is exactly one that everybody would write for
// it: a [fmt.Stringer] has that of its String method, strings are their own,
// integers have theirs in decimal, bools are true or false; so do types based
// on these. "+" with a string on one side joins two texts. Floats, times,
// errors, structs and protobuf messages have no text, and the error names a
// way out.
package keyexpr
