// Package exprkey runs those parts of a directive's expression that have no
// exact form in plain Go, such as filter and groupBy, on the VM of
// github.com/expr-lang/expr. Generated code imports it where it needs it, and
// a comment on the generated method says so.
//
// A program is compiled at its first use and is safe for concurrent use:
//
//	var exportCost = exprkey.Compile("count(rows, .Size > limit)")
//
//	cost, err := exportCost.Int(exprkey.Env{"rows": rows, "limit": limit})
//
// Whatever goes wrong while it runs, a panic in a function that it calls
// included, is an error: the call then has a broken key.
//
// Programs know two functions besides those of expr: text(x) is the text that x
// has in a key, and basic(x) is x as the string, number or bool that its type is
// based on, since operators know no other types.
package exprkey
