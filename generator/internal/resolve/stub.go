package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Stub declares, for the type checker, what is about to be generated for a
// package, so that code which uses it already has the right types: a wrapper
// stands for itself with all methods of its type. It has the fields of its
// type as well, and its methods one level too deep: it is a first guess.
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

// Uses reports whether the source of a package names the wrapper, or its
// constructor, of any type of one that was asked for wrappers.
func Uses(pkg *load.Package, asked *collect.Package) bool {
	names := map[string]bool{}
	for _, w := range wrapperNames(asked) {
		names[w], names[naming.Constructor(w)] = true, true
	}
	found := false
	for _, f := range pkg.Files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && f.State == load.Built && names[id.Name]
			return !found
		})
	}
	return found
}

// Exact is the Stub of a package whose types are known: wrappers have the
// methods that they will have, and no fields of their types.
func Exact(pkg *load.Package, asked *collect.Package) string {
	s := &stubs{pkg: pkg}
	wrappers := wrapperNames(asked)
	for _, typ := range slices.Sorted(maps.Keys(wrappers)) {
		w := wrappers[typ]
		if _, declared := pkg.Declared[w]; w == "" || declared {
			continue
		}
		obj, _ := pkg.Types.Scope().Lookup(typ).(*types.TypeName)
		if obj == nil {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok {
			s.wrapper(w, named)
		}
	}
	return s.imports.String() + s.decls.String()
}

// stubs are exact ones in the making.
type stubs struct {
	pkg            *load.Package
	imports, decls strings.Builder
	names          map[*types.Package]string
}

func (s *stubs) wrapper(w string, named *types.Named) {
	typ := named.Obj().Name()
	fmt.Fprintf(&s.decls, "type %s struct{}\n", w)
	has := false
	for _, sel := range methodSet(named) {
		fn, sig := sel.Obj().(*types.Func), sel.Type().(*types.Signature)
		has = has || fn.Name() == "Unwrap"
		if (fn.Exported() || fn.Pkg() == s.pkg.Types) && !invalid(sig) && unnameable(sig, s.pkg.Types) == "" {
			fmt.Fprintf(&s.decls, "func (*%s) %s%s\n", w, fn.Name(), s.signature(sig))
		}
	}
	if !has && !hidden(w, typ) && !implementsError(named) {
		fmt.Fprintf(&s.decls, "func (*%s) Unwrap() *%s\n", w, typ)
	}
	fmt.Fprintf(&s.decls, "func %s(next *%s, limiter any) *%s\n", naming.Constructor(w), typ, w)
}

func (s *stubs) signature(sig *types.Signature) string {
	bare := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return strings.TrimPrefix(types.TypeString(bare, s.qualifier), "func")
}

func (s *stubs) qualifier(p *types.Package) string {
	if p == s.pkg.Types {
		return ""
	}
	if s.names == nil {
		s.names = map[*types.Package]string{}
	}
	if s.names[p] == "" {
		s.names[p] = fmt.Sprintf("stub_%d", len(s.names))
		fmt.Fprintf(&s.imports, "import %s %q\n", s.names[p], p.Path())
	}
	return s.names[p]
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
