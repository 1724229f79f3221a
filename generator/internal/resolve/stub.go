package resolve

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Stub declares, for the type checker, what is about to be generated for a
// package, so that code which uses it already has the right types: a wrapper
// stands for itself with all methods of its type.
func Stub(pkg *load.Package, asked *collect.Package) string {
	var b strings.Builder
	wrappers := wrapperNames(asked)
	for _, typ := range slices.Sorted(maps.Keys(wrappers)) {
		w := wrappers[typ]
		if _, declared := pkg.Declared[w]; typ == "" || w == "" || declared {
			continue
		}
		fmt.Fprintf(&b, "type %s struct{ *%s }\n", w, typ)
		if !hidden(w, typ) && !declares(pkg, typ, "Unwrap", "Error") {
			fmt.Fprintf(&b, "func (*%s) Unwrap() *%s { return nil }\n", w, typ)
		}
		fmt.Fprintf(&b, "func %s(next *%s, limiter any) *%s { return nil }\n", naming.Constructor(w), typ, w)
	}
	return b.String()
}

// wrapperNames are the names of the wrappers by those of their types.
func wrapperNames(asked *collect.Package) map[string]string {
	names := map[string]string{}
	for _, m := range asked.Methods {
		names[m.Type] = naming.Wrapper(m.Type)
	}
	for _, w := range asked.Wraps {
		names[w.Type.Name.Name] = w.As
	}
	return names
}

// declares reports whether the package declares a method of one of the names
// for a type.
func declares(pkg *load.Package, typ string, names ...string) bool {
	for _, f := range pkg.Files {
		for _, decl := range f.Syntax.Decls {
			if m, ok := decl.(*ast.FuncDecl); ok && slices.Contains(names, m.Name.Name) && collect.ReceiverType(m) == typ {
				return true
			}
		}
	}
	return false
}
