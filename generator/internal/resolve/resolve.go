package resolve

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Package makes the model of a type-checked package of what its directives ask
// for. The model is nil if the package has errors. The rules are for
// CheckNames.
func Package(fset *token.FileSet, pkg *load.Package, asked *collect.Package, problems *diag.List) (*model.Package, []*NamedRule) {
	r := &resolver{fset: fset, pkg: pkg, problems: problems, scope: naming.NewScope(nil)}
	if !r.usable() {
		return nil, nil
	}
	r.readImports()
	r.readDecls()
	r.takeNames()
	targets := r.targets(asked)
	for _, t := range targets {
		r.resolve(t)
	}
	for _, t := range targets {
		r.bypasses(t, targets)
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

// target is a type that gets a wrapper.
type target struct {
	named   *types.Named
	start   token.Pos // of its first rule, or of what names the wrapper
	wrap    *collect.Wrap
	limited map[*types.Func]*collect.Method
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

// targets are the types that get wrappers, in the order of their declarations.
func (r *resolver) targets(asked *collect.Package) []*target {
	all := map[*types.TypeName]*target{}
	for _, m := range asked.Methods {
		if fn, named := r.declared(m); named != nil {
			target := entry(all, named, m.Rules[0].Start())
			target.limited[fn] = m
		}
	}
	for _, w := range asked.Wraps {
		if named := r.wrapped(w); named != nil {
			entry(all, named, w.Start).wrap = w
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *target) int {
		return cmp.Compare(a.named.Obj().Pos(), b.named.Obj().Pos())
	})
}

// entry is the target of a type, made anew for what starts at start.
func entry(all map[*types.TypeName]*target, named *types.Named, start token.Pos) *target {
	t := all[named.Obj()]
	if t == nil {
		t = &target{named: named, start: start, limited: map[*types.Func]*collect.Method{}}
		all[named.Obj()] = t
	}
	return t
}

// wrapped returns the type whose wrapper is named. Type errors within its
// declaration are reported.
func (r *resolver) wrapped(w *collect.Wrap) *types.Named {
	if r.typeErrors(w.Type.Pos(), w.Type.End()) {
		return nil
	}
	obj := r.pkg.Info.Defs[w.Type.Name]
	if obj == nil {
		r.at(w.Type.Name.Pos(), "%s cannot be type-checked", w.Type.Name.Name)
		return nil
	}
	named, _ := obj.Type().(*types.Named)
	return named
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

// place is where something stands, as messages have it.
func (r *resolver) place(pos token.Pos) string {
	p := r.fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func (r *resolver) at(pos token.Pos, format string, args ...any) {
	r.problems.Addf(r.fset.PositionFor(pos, false), format, args...)
}
