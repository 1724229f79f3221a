package resolve

import (
	"cmp"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// callee finds the method or function that an item names, nil where it has
// none or a bad one. fits returns why one cannot serve, or "".
func (r *resolver) callee(m *method, rule collect.Rule, name string, fits func(*types.Func) string) *types.Func {
	item, ok := rule.Item(name)
	if !ok || item.Bad {
		return nil
	}
	fn, hint := r.find(m, rule.File(item.Line), item)
	if fn == nil {
		r.problem(m, rule, item, rule.ValuePos(name), "there is no method or function %s%s", item.Text, hint)
		return nil
	}
	if invalid(fn.Signature()) && r.decls[fn.Origin()].from.IsValid() {
		r.unknown(fn, fn.Name())
		return nil
	}
	if why := first(fits(fn), r.notEverywhere(fn)); why != "" {
		r.problem(m, rule, item, rule.ValuePos(name), "%s %s", item.Text, why)
		return nil
	}
	return fn
}

// called is how generated code calls a method or function that an item names.
func (r *resolver) called(m *method, rule collect.Rule, name string, fn *types.Func) model.Callee {
	c := model.Callee{Text: text(rule, name), Name: fn.Name(), Spread: fn.Signature().Variadic()}
	if fn.Signature().Recv() == nil {
		c.Func, c.Package = true, fn.Pkg().Path()
		r.want(c.Package)
		m.paths = append(m.paths, c.Package)
		m.uses = append(m.uses, c.Name)
	}
	return c
}

// find finds the method or function that an item names: of the type, of the
// package, or of a package that the file imports. The hint is for when there
// is none.
func (r *resolver) find(m *method, file *load.File, item directive.Item) (fn *types.Func, hint string) {
	qualifier, name, dotted := cutLast(item.Text)
	methods := r.methodsByName(m.of)
	scope := r.fileScope(file)
	imports := scope.Imports
	if !dotted {
		if fn := cmp.Or(methods[name], r.function(name, scope.DotImports)); fn != nil {
			return fn, ""
		}
		methods = maps.Clone(methods)
		delete(methods, m.Name)
		return nil, r.unfound(m, item, name, slices.Concat(item.Spec.Words, sortedNames(methods), functions(r.pkg.Types, false)))
	}
	p := imports[qualifier]
	switch {
	case p == nil && methods[name] != nil:
		return nil, "; the method is written " + item.Name + "=" + name
	case p == nil && (qualifier == m.of.name() || qualifier == m.receiver()):
		return nil, r.unfound(m, item, name, sortedNames(methods))
	case p == nil:
		return nil, "; the file imports no package " + qualifier
	}
	if fn, ok := p.Scope().Lookup(name).(*types.Func); ok && fn.Exported() {
		return fn, ""
	}
	return nil, suggest.DidYouMean(name, functions(p, true))
}

// function finds a function of the package, or of one that the file imports
// into its own scope.
func (r *resolver) function(name string, dotted []*types.Package) *types.Func {
	if obj := r.pkg.Types.Scope().Lookup(name); obj != nil {
		fn, _ := obj.(*types.Func)
		return fn
	}
	for _, p := range dotted {
		if fn, ok := p.Scope().Lookup(name).(*types.Func); ok && fn.Exported() {
			return fn
		}
	}
	return nil
}

// receiver is the name of the method's receiver in the source, or "".
func (m *method) receiver() string {
	if recv := m.fn.Signature().Recv(); recv != nil {
		return recv.Name()
	}
	return ""
}

// unfound says what could have been meant with a name, or what it is instead,
// or where it was looked for.
func (r *resolver) unfound(m *method, item directive.Item, name string, known []string) string {
	obj, index, _ := types.LookupFieldOrMethod(m.of.inner, true, r.pkg.Types, name)
	if obj == nil {
		obj = r.pkg.Types.Scope().Lookup(name)
	}
	if obj == nil && len(index) > 0 {
		return "; several embedded fields of " + m.of.name() + " have one"
	}
	switch obj := obj.(type) {
	case *types.Var:
		if obj.IsField() {
			return "; it is a field"
		}
		return "; it is a variable"
	case *types.TypeName:
		return "; it is a type"
	case *types.Const:
		return "; it is a constant"
	}
	if hint := suggest.DidYouMean(name, known); hint != "" {
		return hint
	}
	if m.of.isFunc() {
		return " of package " + r.pkg.Name + orWords(item)
	}
	return ", neither of " + m.of.name() + " nor of package " + r.pkg.Name + orWords(item)
}

// orWords names the words that an item takes besides a method or function.
func orWords(item directive.Item) string {
	if len(item.Spec.Words) == 0 {
		return ""
	}
	return "; the words are " + strings.Join(item.Spec.Words, " and ")
}

func cutLast(name string) (before, after string, dotted bool) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:], true
	}
	return "", name, false
}

// methodsByName are the methods of the type that its package can call.
func (r *resolver) methodsByName(t *target) map[string]*types.Func {
	if t.byName != nil {
		return t.byName
	}
	all := map[string]*types.Func{}
	for _, sel := range t.methodSet() {
		if fn := sel.Obj().(*types.Func); fn.Exported() || fn.Pkg() == r.pkg.Types {
			all[fn.Name()] = fn
		}
	}
	t.byName = all
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
	return r.typeText(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
}

// typeText writes a type as the package would.
func (r *resolver) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == r.pkg.Types {
			return ""
		}
		return p.Name()
	})
}
