package resolve

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// fallback resolves the fallback of a rule, nil if it has none or a bad one.
func (r *resolver) fallback(t *target, m *method, rule collect.Rule) *model.Fallback {
	item, ok := rule.Item("fallback")
	if !ok || item.Bad {
		return nil
	}
	fn, hint := r.callee(t, m, item.Text)
	if fn == nil {
		r.at(rule.ValuePos("fallback"), "there is no method or function %s%s", item.Text, hint)
		return nil
	}
	args, why := r.fit(m, fn)
	if why != "" {
		r.at(rule.ValuePos("fallback"), "%s %s", item.Text, why)
		return nil
	}
	f := &model.Fallback{Text: item.Text, Name: fn.Name(), Args: args, Spread: fn.Signature().Variadic()}
	if fn.Signature().Recv() == nil {
		f.Func, f.Package = true, fn.Pkg().Path()
		r.want(f.Package)
		m.paths = append(m.paths, f.Package)
		m.uses = append(m.uses, f.Name)
	}
	return f
}

// callee finds the method or function of that name: of the type, of the
// package, or of a package that the file imports.
func (r *resolver) callee(t *target, m *method, name string) (fn *types.Func, hint string) {
	imported, name, dotted := cutLast(name)
	if !dotted {
		methods := methodsByName(t.named)
		if fn := methods[name]; fn != nil {
			return fn, ""
		}
		fn, _ := r.pkg.Types.Scope().Lookup(name).(*types.Func)
		delete(methods, m.Name)
		return fn, suggest.DidYouMean(name, append(sortedNames(methods), functions(r.pkg.Types, false)...))
	}
	imports, _ := r.fileImports(m.source.File.Syntax)
	p := imports[imported]
	if p == nil {
		return nil, "; the file imports no package " + imported
	}
	fn, _ = p.Scope().Lookup(name).(*types.Func)
	if fn != nil && !fn.Exported() {
		return nil, "; " + p.Name() + " does not export it"
	}
	return fn, suggest.DidYouMean(name, functions(p, true))
}

func cutLast(name string) (before, after string, dotted bool) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return "", name, false
}

func methodsByName(named *types.Named) map[string]*types.Func {
	all := map[string]*types.Func{}
	for _, sel := range methodSet(named) {
		all[sel.Obj().Name()] = sel.Obj().(*types.Func)
	}
	return all
}

func sortedNames(methods map[string]*types.Func) []string {
	var names []string
	for name := range methods {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func functions(p *types.Package, exported bool) []string {
	var names []string
	for _, name := range p.Scope().Names() {
		if fn, ok := p.Scope().Lookup(name).(*types.Func); ok && (fn.Exported() || !exported) {
			names = append(names, name)
		}
	}
	return names
}

// fit returns which arguments of a method a fallback takes, or why it cannot
// be one.
func (r *resolver) fit(m *method, fallback *types.Func) (args model.Args, why string) {
	have := fallback.Signature()
	if fallback == m.fn {
		return 0, "cannot be its own fallback: its calls would not be limited"
	}
	if have.TypeParams().Len() > 0 {
		return 0, "has type parameters, a fallback has none"
	}
	args, ok := arguments(m.sig, have)
	if !ok {
		return 0, fmt.Sprintf("must be %s, also with a last *ratelimit.LimitError or without parameters; it is %s", r.signature(m.sig), r.signature(have))
	}
	return args, ""
}

func arguments(method, fallback *types.Signature) (model.Args, bool) {
	if n := method.Results().Len(); fallback.Results().Len() != n || !identical(method.Results(), fallback.Results(), n) {
		return 0, false
	}
	want, have := method.Params(), fallback.Params()
	switch n := want.Len(); {
	case have.Len() == n+1 && isLimitError(have.At(n).Type()) && !fallback.Variadic() && identical(want, have, n):
		return model.WithErr, true
	case have.Len() == n && identical(want, have, n):
		return model.SameArgs, true
	case have.Len() == 0:
		return model.NoArgs, true
	}
	return 0, false
}

// identical reports whether the first n types of two tuples are the same.
func identical(a, b *types.Tuple, n int) bool {
	for i := range n {
		if !types.Identical(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

// signature writes a signature for people to read.
func (r *resolver) signature(sig *types.Signature) string {
	bare := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	return types.TypeString(bare, func(p *types.Package) string {
		if p == r.pkg.Types {
			return ""
		}
		return p.Name()
	})
}
