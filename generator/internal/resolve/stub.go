package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
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
	for _, p := range plans(pkg, asked) {
		params, args := typeParamTexts(p.params)
		inner := p.inner(args)
		if p.fn {
			fmt.Fprintf(&b, "func stub_%s[F any](F) func(any) F { return nil }\n", p.name)
			fmt.Fprintf(&b, "var %s = stub_%s(%s)\n", naming.Constructor(p.wrapper), p.name, p.name)
			continue
		}
		fmt.Fprintf(&b, "type %s%s struct{ %s }\n", p.wrapper, params, inner)
		if !hidden(p.wrapper, p.name) && !declares(pkg, p.name, "Unwrap", "Error") {
			fmt.Fprintf(&b, "func (*%s%s) Unwrap() %s { return nil }\n", p.wrapper, args, inner)
		}
		fmt.Fprintf(&b, "func %s%s(next %s, limiter any) *%s%s { return nil }\n", naming.Constructor(p.wrapper), params, inner, p.wrapper, args)
	}
	return b.String()
}

// plan is a wrapper that is about to be generated.
type plan struct {
	name    string // of the type or function
	wrapper string
	fn      bool
	iface   bool
	params  *ast.FieldList // the type parameters
}

func (p plan) inner(args string) string {
	if p.iface {
		return p.name + args
	}
	return "*" + p.name + args
}

// plans are the wrappers of a package whose names are free, by the names of
// their types.
func plans(pkg *load.Package, asked *collect.Package) []plan {
	wrappers := wrapperNames(asked)
	var all []plan
	for _, f := range pkg.Files {
		if f.State != load.Built {
			continue
		}
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					all = append(all, plan{name: decl.Name.Name, fn: true, params: decl.Type.TypeParams})
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						_, iface := ast.Unparen(spec.Type).(*ast.InterfaceType)
						all = append(all, plan{name: spec.Name.Name, iface: iface || spec.Assign.IsValid(), params: spec.TypeParams})
					}
				}
			}
		}
	}
	for i, p := range all {
		all[i].wrapper = wrappers[p.name]
	}
	all = slices.DeleteFunc(all, func(p plan) bool { return !p.free(pkg) })
	slices.SortFunc(all, func(a, b plan) int { return strings.Compare(a.name, b.name) })
	return all
}

// free reports whether a plan can be declared.
func (p plan) free(pkg *load.Package) bool {
	name := p.wrapper
	if p.fn && name != "" {
		name = naming.Constructor(name)
	}
	_, declared := pkg.Declared[name]
	return name != "" && p.name != "_" && !declared
}

// typeParamTexts are the declaration of type parameters and their use as
// arguments. For a guess every constraint is any.
func typeParamTexts(list *ast.FieldList) (params, args string) {
	if list == nil {
		return "", ""
	}
	var names []string
	for range list.NumFields() {
		names = append(names, fmt.Sprintf("stub_P%d", len(names)))
	}
	text := strings.Join(names, ", ")
	return "[" + text + " any]", "[" + text + "]"
}

// wrapperNames are the names of the wrappers by those of their types.
func wrapperNames(asked *collect.Package) map[string]string {
	names := map[string]string{}
	for _, m := range asked.Methods {
		name := cmp.Or(m.Type, m.Name.Name)
		names[name] = naming.Wrapper(name)
	}
	for _, t := range asked.Types {
		names[t.Spec.Name.Name] = naming.Wrapper(t.Spec.Name.Name)
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
	for _, p := range plans(pkg, asked) {
		switch obj := pkg.Types.Scope().Lookup(p.name).(type) {
		case *types.TypeName:
			s.wrapper(p.wrapper, obj)
		case *types.Func:
			s.function(p.wrapper, obj)
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

func (s *stubs) wrapper(w string, obj *types.TypeName) {
	typ, params, args := s.instance(obj)
	inner := obj.Name() + args
	if !types.IsInterface(typ) {
		inner = "*" + inner
	}
	fmt.Fprintf(&s.decls, "type %s%s struct{}\n", w, params)
	has := false
	for _, sel := range methodSet(typ) {
		fn, sig := sel.Obj().(*types.Func), sel.Type().(*types.Signature)
		has = has || fn.Name() == "Unwrap"
		if (fn.Exported() || fn.Pkg() == s.pkg.Types) && !invalid(sig) && unnameable(sig, s.pkg.Types) == "" {
			fmt.Fprintf(&s.decls, "func (*%s%s) %s%s\n", w, args, fn.Name(), s.signature(sig))
		}
	}
	if !has && !hidden(w, obj.Name()) && !implementsError(typ) {
		fmt.Fprintf(&s.decls, "func (*%s%s) Unwrap() %s\n", w, args, inner)
	}
	fmt.Fprintf(&s.decls, "func %s%s(next %s, limiter any) *%s%s\n", naming.Constructor(w), params, inner, w, args)
}

func (s *stubs) function(w string, fn *types.Func) {
	sig, params, _ := s.instance(fn)
	if !invalid(sig) && unnameable(sig, s.pkg.Types) == "" {
		fmt.Fprintf(&s.decls, "func %s%s(limiter any) func%s\n", naming.Constructor(w), params, s.signature(sig.(*types.Signature)))
	}
}

// instance is a type or a function's signature with type parameters of names
// that nothing else has, their declaration, and their use as arguments.
func (s *stubs) instance(obj types.Object) (typ types.Type, params, args string) {
	n := 0
	renamed := rename(typeParams(obj), func(string) string { n++; return fmt.Sprintf("stub_P%d", n) })
	if n == 0 {
		return obj.Type(), "", ""
	}
	var names, constrained []string
	for _, p := range renamed {
		names = append(names, p.Obj().Name())
		constrained = append(constrained, p.Obj().Name()+" interface{ "+types.TypeString(p.Constraint(), s.qualifier)+" }")
	}
	return instance(obj.Type(), renamed), "[" + strings.Join(constrained, ", ") + "]", "[" + strings.Join(names, ", ") + "]"
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
