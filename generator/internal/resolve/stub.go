package resolve

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Stub declares, for the type checker, what is about to be generated for a
// package, so that code which uses it already has the right types: a wrapper
// stands for itself with all methods of its type.
func Stub(pkg *load.Package, methods []*collect.Method) string {
	var b strings.Builder
	done := map[string]bool{}
	for _, m := range methods {
		w := naming.Wrapper(m.Type)
		_, declared := pkg.Declared[w]
		if m.Type == "" || done[m.Type] || declared {
			continue
		}
		done[m.Type] = true
		fmt.Fprintf(&b, "type %s struct{ *%s }\n", w, m.Type)
		if !declares(pkg, m.Type, "Unwrap", "Error") {
			fmt.Fprintf(&b, "func (*%s) Unwrap() *%s { return nil }\n", w, m.Type)
		}
		fmt.Fprintf(&b, "func %s(next *%s, limiter any) *%s { return nil }\n", naming.Constructor(w), m.Type, w)
	}
	return b.String()
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
