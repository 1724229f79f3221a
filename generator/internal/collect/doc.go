// Package collect finds the directives of a package and ties each to the
// declaration that it stands on. It reads comments and syntax, no types.
//
// No directive is ever silently ignored: one that stands where it means
// nothing, or where it is not supported yet, is a problem, as is a comment
// that was meant for a directive.
package collect
