// Package layout formats Go source as gofmt does, and faster where its
// declarations are much alike, as generated ones are.
//
// Where gofmt puts blanks and tabs depends on the tokens of a declaration, on
// which of them start a line, and in few places on the text of a token: where
// lines are aligned, where something fits on one line, and in documentation. So
// declarations that differ in other texts alone have the same blanks. [Source]
// has gofmt format one of each such shape, and gives the others its blanks.
// Whatever it does not know to be of no influence makes a shape of its own.
package layout
