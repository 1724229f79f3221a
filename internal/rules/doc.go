// Package rules says, once, what a rate limit rule may be: the algorithms with
// the names that directives, Go code and store keys have for them, and the
// ranges within which every algorithm decides exactly.
//
// The generator checks directives against it and the runtime checks rules
// against it, so that whatever passes in one passes in the other.
package rules
