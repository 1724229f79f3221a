package resolve

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Package makes the model of a type-checked package of its methods with rules.
// The model is nil if the package has errors. The rules are for CheckNames.
func Package(fset *token.FileSet, pkg *load.Package, methods []*collect.Method, problems *diag.List) (*model.Package, []*NamedRule) {
	r := &resolver{fset: fset, pkg: pkg, problems: problems, scope: naming.NewScope(nil)}
	if !r.usable() {
		return nil, nil
	}
	r.readImports()
	r.readDecls()
	r.takeNames()
	targets := r.targets(methods)
	for _, t := range targets {
		r.resolve(t)
	}
	if problems.HasErrors() {
		return nil, r.rules
	}
	return r.name(targets), r.rules
}

type resolver struct {
	fset     *token.FileSet
	pkg      *load.Package
	problems *diag.List
	scope    *naming.Scope // of the package and of all its files
	imports  naming.Imports
	packages map[string]*types.Package // by path, as far as the package's imports reach
	aliases  map[string]string         // the names that the package's files give to imports, by path
	decls    map[*types.Func]*ast.FuncDecl
	rules    []*NamedRule
}

// target is a type with limited methods.
type target struct {
	named   *types.Named
	limited map[*types.Func]*collect.Method
	first   *collect.Method // in the order of the source
	wrapper *model.Wrapper
	methods []*method
}

// usable reports whether the package's syntax can be relied on.
func (r *resolver) usable() bool {
	r.problems.Add(r.pkg.Problems...)
	return r.pkg.Types != nil && len(r.pkg.Problems) == 0 && !r.broken()
}

// broken reports files that do not parse.
func (r *resolver) broken() bool {
	found := false
	for _, f := range r.pkg.Files {
		if f.State == load.Built && len(f.Errors) > 0 {
			found = true
			r.problems.Add(f.Errors...)
		}
	}
	return found
}

// targets groups methods by their types, in the order of the types' first
// limited methods.
func (r *resolver) targets(methods []*collect.Method) []*target {
	byName := map[*types.TypeName]*target{}
	var all []*target
	for _, m := range methods {
		fn, named := r.declared(m)
		if named == nil {
			continue
		}
		t := byName[named.Obj()]
		if t == nil {
			t = &target{named: named, first: m, limited: map[*types.Func]*collect.Method{}}
			byName[named.Obj()] = t
			all = append(all, t)
		}
		t.limited[fn] = m
	}
	slices.SortStableFunc(all, func(a, b *target) int { return cmp.Compare(a.named.Obj().Pos(), b.named.Obj().Pos()) })
	return all
}

// declared returns the object of a method's declaration and the type that it
// belongs to. Type errors within its signature are reported.
func (r *resolver) declared(m *collect.Method) (*types.Func, *types.Named) {
	if r.typeErrors(m.Decl.Pos(), m.Decl.Type.End()) {
		return nil, nil
	}
	fn, _ := r.pkg.Info.Defs[m.Decl.Name].(*types.Func)
	if fn == nil {
		r.at(m.Decl.Name.Pos(), "%s cannot be type-checked", m.Decl.Name.Name)
		return nil, nil
	}
	named := receiver(fn)
	if named == nil {
		r.at(m.Decl.Name.Pos(), "%s has no receiver that could be wrapped", m.Decl.Name.Name)
	}
	return fn, named
}

// receiver returns the type that declares a method.
func receiver(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	t := types.Unalias(recv.Type())
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	named, _ := t.(*types.Named)
	return named
}

// noPackage is what the loader says of a package that it did not find at all.
const noPackage = ` (invalid package name: "")`

// typeErrors reports the type errors within a stretch of the source, and
// whether there were any.
func (r *resolver) typeErrors(from, to token.Pos) bool {
	found := false
	for _, err := range r.pkg.TypeErrors {
		if from <= err.Pos && err.Pos < to {
			found = true
			r.at(err.Pos, "%s", strings.TrimSuffix(err.Msg, noPackage))
		}
	}
	return found
}

func (r *resolver) at(pos token.Pos, format string, args ...any) {
	r.problems.Addf(r.fset.PositionFor(pos, false), format, args...)
}
