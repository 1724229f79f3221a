package naming

import (
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/dave/jennifer/jen"
)

// Import is one import of a generated file.
type Import struct {
	Path string
	Name string // the name that the file uses
	Bare bool   // everybody expects the name from the path, so that the import needs to write none
}

// Imports collects the packages that a file uses, and names them.
type Imports struct {
	wanted map[string]wish
}

type wish struct{ own, preferred string }

// Want notes that the package of that path and name is used. It is called
// preferred, or its own name where preferred is empty, if that is free.
func (i *Imports) Want(path, own, preferred string) {
	if i.wanted == nil {
		i.wanted = map[string]wish{}
	}
	if preferred == "" {
		preferred = own
	}
	if _, ok := i.wanted[path]; !ok {
		i.wanted[path] = wish{own, preferred}
	}
}

// Resolve names all packages that are wanted, in the order of their paths, and
// takes the names in s, the scope of the package.
func (i *Imports) Resolve(s *Scope) []Import {
	var all []Import
	for _, path := range slices.Sorted(maps.Keys(i.wanted)) {
		w := i.wanted[path]
		name := freshImport(s, w.preferred)
		all = append(all, Import{Path: path, Name: name, Bare: name == w.own && name == expected(path)})
	}
	return all
}

var version = regexp.MustCompile(`^v[0-9]+$|\.v[0-9]+$`)

// expected is the package name that a reader of the path expects.
func expected(p string) string {
	name := path.Base(p)
	short := version.ReplaceAllString(name, "")
	if short == "" {
		return path.Base(path.Dir(p))
	}
	return short
}

// freshImport also avoids the few further names that jennifer would change
// behind our back.
func freshImport(s *Scope, base string) string {
	for jen.IsReservedWord(base) {
		base += "pkg"
	}
	return s.Fresh(base)
}
