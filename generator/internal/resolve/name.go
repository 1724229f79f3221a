package resolve

import (
	"go/types"
	"maps"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// name chooses all names of the generated file, from the outside in: imports,
// the rules' variables and functions, parameters, receivers, local variables.
func (r *resolver) name(targets []*target) *model.Package {
	p := &model.Package{Path: r.pkg.Path, Name: r.pkg.Name}
	for _, path := range helpers {
		r.imports.Want(path.path, path.name, "")
	}
	p.Imports = r.imports.Resolve(naming.NewScope(r.scope, r.typeParams...))
	for _, i := range p.Imports {
		r.scope.Take(i.Name)
	}
	r.takeImports()
	names := importNames(p.Imports)
	for _, t := range targets {
		r.nameRules(t)
	}
	for _, t := range targets {
		for _, m := range t.methods {
			r.nameVars(m, names)
			t.wrapper.Methods = append(t.wrapper.Methods, m.Method)
		}
		r.nameWrapper(t)
		p.Wrappers = append(p.Wrappers, t.wrapper)
	}
	return p
}

// helpers are the packages that generated code itself calls.
var helpers = []struct{ path, name string }{
	{model.Runtime, model.RuntimeName},
	{"context", "context"},
	{"errors", "errors"},
	{"fmt", "fmt"},
	{"strconv", "strconv"},
	{"time", "time"},
}

func importNames(imports []naming.Import) map[string]string {
	names := map[string]string{}
	for _, i := range imports {
		names[i.Path] = i.Name
	}
	return names
}

func (r *resolver) nameRules(t *target) {
	for _, m := range t.methods {
		if m.Limit == nil {
			continue
		}
		for _, rule := range m.Limit.Rules {
			rule.Var = r.scope.Fresh(ruleVar(t, m, rule))
			r.nameGlobals(m.Limit, rule)
			r.nameFuncs(rule)
		}
	}
}

// nameGlobals names the variables of the package that a rule's expressions
// need. Rules of one directive have some expressions in common.
func (r *resolver) nameGlobals(l *model.Limit, rule *model.Rule) {
	exprs := rule.Exprs()
	for _, item := range slices.Sorted(maps.Keys(exprs)) {
		for _, g := range exprs[item].Globals {
			if !slices.Contains(l.Globals, g) {
				g.Name = r.scope.Fresh(rule.Var + g.Use)
				l.Globals = append(l.Globals, g)
			}
		}
	}
}

func ruleVar(t *target, m *method, rule *model.Rule) string {
	if t.isFunc() {
		return naming.Rule(m.Name, "rule", rule.By)
	}
	return naming.Rule(t.wrapper.Type, m.Name, rule.By)
}

// nameFuncs gives a rule the functions that make what can fail. Where a
// broken when= must not keep the limit or the tag from being known, it has one
// of its own.
func (r *resolver) nameFuncs(rule *model.Rule) {
	when := canFail(rule.When)
	if when && (rule.Limit != nil || rule.CallTag != nil) {
		rule.WhenFunc = &model.Func{Name: r.scope.Fresh(naming.When(rule.Var))}
		when = false
	}
	if when || canFail(rule.Key, rule.Limit, rule.Cost, rule.CallTag) {
		rule.Func = &model.Func{Name: r.scope.Fresh(naming.Request(rule.Var))}
	}
}

func canFail(exprs ...*keyexpr.Expr) bool {
	return slices.ContainsFunc(exprs, func(e *keyexpr.Expr) bool { return e != nil && e.CanFail })
}

// nameVars gives parameters and results names where they have none that can
// stand: a limited method must see past them what its body names.
func (r *resolver) nameVars(m *method, imports map[string]string) {
	hidden := map[string]bool{"": true}
	for _, p := range m.of.wrapper.TypeParams {
		hidden[p.Name] = true
	}
	if m.Limit != nil {
		r.hide(hidden, m, imports)
	}
	scope := m.of.scope(r.scope)
	for _, vars := range [][]model.Var{m.Params, m.Results} {
		for _, v := range vars {
			scope.Take(v.Name)
		}
	}
	m.hidden = hidden
	for i := range m.Params {
		if p := &m.Params[i]; hidden[p.Name] || p.Name == "_" {
			p.Name = scope.Fresh(base(*p))
		}
	}
	for i := range m.Results {
		if v := &m.Results[i]; v.Name != "" && hidden[v.Name] {
			v.Name = scope.Fresh(v.Name)
		}
	}
}

// hide adds what the body of a limited method names.
func (r *resolver) hide(hidden map[string]bool, m *method, imports map[string]string) {
	for _, path := range slices.Concat(m.paths, m.helpers()) {
		hidden[imports[path]] = true
	}
	for _, v := range m.Results {
		if pkg, name, ok := model.TypeName(v.Type); ok && pkg == nil {
			hidden[name] = true
			continue
		}
		text := types.TypeString(v.Type, func(p *types.Package) string { return imports[p.Path()] })
		for _, name := range identifiers(text) {
			hidden[name] = true
		}
	}
	for _, name := range slices.Concat(needed, m.uses, m.Limit.Names()) {
		hidden[name] = true
	}
}

// helpers are the packages that the generated body, and the functions with its
// parameters, themselves call.
func (m *method) helpers() []string {
	var paths []string
	if !slices.ContainsFunc(m.Params, func(p model.Var) bool { return isContext(p.Type) }) {
		paths = append(paths, "context")
	}
	for _, rule := range m.Limit.Rules {
		paths = append(paths, ruleHelpers(rule)...)
	}
	return paths
}

func ruleHelpers(rule *model.Rule) []string {
	var paths []string
	if rule.Key != nil && model.Appended(rule.Key) {
		paths = append(paths, "strconv")
	}
	if rule.Func != nil || rule.WhenFunc != nil {
		paths = append(paths, "fmt", model.Runtime)
	}
	if rule.When != nil || rule.Digested {
		paths = append(paths, model.Runtime)
	}
	if rule.Fallback != nil && rule.Fallback.Args == model.WithErr {
		paths = append(paths, "errors", model.Runtime)
	}
	return paths
}

// base is the name of a parameter that needs one.
func base(v model.Var) string {
	switch {
	case v.Name != "" && v.Name != "_":
		return v.Name
	case isContext(v.Type):
		return "ctx"
	}
	return "arg"
}

// scope is a scope inside of the package's with the type parameters.
func (t *target) scope(outer *naming.Scope) *naming.Scope {
	s := naming.NewScope(outer)
	for _, p := range t.wrapper.TypeParams {
		s.Take(p.Name)
	}
	return s
}

// nameWrapper names what the methods of a wrapper share, and then their local
// variables.
func (r *resolver) nameWrapper(t *target) {
	fields, receivers := naming.NewScope(nil), t.scope(r.scope)
	for _, m := range t.methods {
		fields.Take(m.Name)
		for _, v := range slices.Concat(m.Params, m.Results) {
			receivers.Take(v.Name)
		}
	}
	w := t.wrapper
	w.Next, w.Limiter = fields.Fresh("next"), fields.Fresh("limiter")
	w.Receiver = receivers.Fresh("w")
	if w.Func {
		w.Receiver = receivers.Fresh("limiter")
	}
	if len(t.methods) > 0 && !(w.Interface && len(w.Embeds) > 0) {
		w.Guard = r.scope.Fresh(naming.Guard(w.Type))
	}
	for _, m := range t.methods {
		if m.Limit != nil {
			r.nameLocals(w, m)
		}
	}
}
