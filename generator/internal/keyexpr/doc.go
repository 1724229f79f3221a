// Package keyexpr compiles the expressions of directives: source text and a
// scope of Go objects go in, checked Go code comes out. It knows no
// directives.
//
// The syntax is that of github.com/expr-lang/expr, whose parser it uses.
// Names, fields, methods and calls are checked against go/types, so that code
// which is emitted compiles.
//
// # Meaning
//
// Operators and builtins mean what they mean in expr. Integers of all types
// count as int in arithmetic and comparisons, "/" and "**" make floats, an
// index that is negative counts from the end, a part of a list or string is cut
// to what there is, and nil makes "?." nil, "??" go on, a comparison false and
// anything else fail. What is more here than there:
//
//   - types based on a predeclared one are taken as that one, so is a type
//     parameter whose types are all of one kind, and a pointer is followed;
//   - fields and methods that are not exported, generic functions, and functions
//     that return an error as well;
//   - "+" between a string and a value with a text;
//   - the functions ip, user, caller, header, hash, env and config;
//   - the list form of a key.
//
// # Texts
//
// A value has a text when there is exactly one that everybody would write for
// it: a [fmt.Stringer] has that of its String method, strings are their own,
// integers have theirs in decimal, bools are true or false; so do types based
// on these. "+" with a string on one side joins two texts. Floats, times,
// errors, structs and protobuf messages have no text, and the error names a
// way out. The text of a choice is that of what is chosen.
//
// # Code
//
// Code is plain Go wherever that keeps the meaning: literals, arithmetic,
// comparison, logic, the ternary, "??", "?.", members, indexes, slices, "in",
// "matches", "contains", and those builtins that take and give strings and
// numbers. The rest, predicates above all, and whatever has operands of an
// interface's type, becomes a program for expr's VM, as small a part as can be:
// what there is code for is evaluated before and given to it under a name.
//
// A value whose code needs statements has a function that writes them to a
// block first and then returns an expression. Where one operand writes
// statements, those before it go into variables, so that the order of
// evaluation stays; an operand that is evaluated in some cases only writes them
// where it is.
package keyexpr
