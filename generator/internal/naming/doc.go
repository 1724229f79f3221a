// Package naming chooses the identifiers of generated code.
//
// Go resolves a name through nested scopes, and so does this package: a
// [Scope] knows the names that are taken in it and in the scopes around it,
// and a fresh name avoids them all. [Imports] are the names of a file's
// imports, which share the package's scope: no declaration of a package may
// have the name of an import of one of its files.
package naming
