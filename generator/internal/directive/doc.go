// Package directive is the grammar of ratelimit directives: the text of one
// comment line goes in, items with byte offsets and problems come out. It
// knows no Go types and no positions of a file.
//
// A directive is a line "//ratelimit:" directly followed by items, in any
// order, separated by blanks. An item is name=value or a bare flag. A word in
// the first place may instead name another kind of directive, such as skip.
//
// [Items] is the one place where an item is declared. Parsing, the checks of
// values, suggestions and help all come from it, so that a new item is a new
// entry.
//
// # Where a value ends
//
// A plain value (a duration, a word, a name) ends at the next blank. A quoted
// string ends at its closing quote. An expression ends where a blank is
// followed by a word and a single "=", or, once an operand is complete and all
// brackets are closed, by a word that cannot continue the expression. Strings
// inside of expressions may hold anything. Outside of strings " //" ends the
// directive; "//" without the blank, "/*" and ";" are errors.
package directive
