// Package resolve makes the model of a package of its directives and its
// types: it finds the method of each, checks expressions and fallbacks against
// go/types, and chooses all names of the code to come.
package resolve
