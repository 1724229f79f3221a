package resolve

import (
	"go/types"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// name chooses all names of the generated file, from the outside in: imports,
// the rules' variables, parameters, receivers, local variables.
func (r *resolver) name(targets []*target) *model.Package {
	p := &model.Package{Path: r.pkg.Path, Name: r.pkg.Name}
	for _, path := range helpers {
		r.imports.Want(path.path, path.name, "")
	}
	p.Imports = r.imports.Resolve(r.scope)
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
			rule.Var = r.scope.Fresh(naming.Rule(t.wrapper.Type, m.Name))
		}
		for _, k := range m.keys {
			if k.expr.CanFail {
				k.Func = r.scope.Fresh(naming.Key(m.ruleOf(k.Key).Var))
			}
		}
	}
}

func (m *method) ruleOf(k *model.Key) *model.Rule {
	i := slices.IndexFunc(m.Limit.Rules, func(rule *model.Rule) bool { return rule.Key == k })
	return m.Limit.Rules[i]
}

// nameVars gives parameters and results names where they have none that can
// stand: a limited method must see past them what its body names.
func (r *resolver) nameVars(m *method, imports map[string]string) {
	hidden := map[string]bool{"": true}
	if m.Limit != nil {
		r.hide(hidden, m, imports)
	}
	scope := naming.NewScope(r.scope)
	for _, vars := range [][]model.Var{m.Params, m.Results} {
		for _, v := range vars {
			scope.Take(v.Name)
		}
	}
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
		text := types.TypeString(v.Type, func(p *types.Package) string { return imports[p.Path()] })
		for _, name := range identifiers(text) {
			hidden[name] = true
		}
	}
	for _, name := range slices.Concat(needed, m.uses, m.Limit.Names()) {
		hidden[name] = true
	}
}

// helpers are the packages that the generated body itself calls.
func (m *method) helpers() []string {
	var paths []string
	if !slices.ContainsFunc(m.Params, func(p model.Var) bool { return isContext(p.Type) }) {
		paths = append(paths, "context")
	}
	for _, k := range m.keys {
		if k.Appended() {
			paths = append(paths, "strconv")
		}
		if k.expr.CanFail {
			paths = append(paths, "fmt")
		}
	}
	for _, rule := range m.Limit.Rules {
		if rule.Fallback != nil && rule.Fallback.Args == model.WithErr {
			paths = append(paths, "errors", model.Runtime)
		}
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

// nameWrapper names what the methods of a wrapper share, and then their local
// variables.
func (r *resolver) nameWrapper(t *target) {
	fields, receivers := naming.NewScope(nil), naming.NewScope(r.scope)
	for _, m := range t.methods {
		fields.Take(m.Name)
		for _, v := range slices.Concat(m.Params, m.Results) {
			receivers.Take(v.Name)
		}
	}
	w := t.wrapper
	w.Next, w.Limiter = fields.Fresh("next"), fields.Fresh("limiter")
	w.Receiver = receivers.Fresh("w")
	for _, m := range t.methods {
		if m.Limit != nil {
			r.nameLocals(w, m)
		}
	}
}

func (r *resolver) nameLocals(w *model.Wrapper, m *method) {
	scope := naming.NewScope(r.scope, w.Receiver)
	for _, v := range m.Params {
		scope.Take(v.Name)
	}
	for i, v := range m.Results {
		if i < len(m.Results)-1 || !isError(v.Type) {
			scope.Take(v.Name)
		}
	}
	m.Limit.Context = m.context()
	m.Limit.Decision, m.Limit.Err, m.Limit.Refusal = scope.Fresh("d"), scope.Fresh("err"), scope.Fresh("refusal")
	for _, k := range m.keys {
		r.nameKey(scope, w, m, k)
	}
}

func (r *resolver) nameKey(scope *naming.Scope, w *model.Wrapper, m *method, k exprKey) {
	if k.Func != "" {
		k.Params = k.params(m)
		scope = naming.NewScope(r.scope, w.Receiver)
		for _, p := range k.Params {
			scope.Take(p.Name)
		}
		k.Result, k.Err, k.Reason = scope.Fresh("key"), scope.Fresh("err"), scope.Fresh("reason")
	}
	k.Buffer = scope.Fresh("buf")
	if k.Func != "" {
		k.Bytes = scope.Fresh("b")
	} else {
		k.Bytes = scope.Fresh("key")
	}
}

// context is the parameter that is the call's context, or "".
func (m *method) context() string {
	i := slices.IndexFunc(m.Params, func(p model.Var) bool { return isContext(p.Type) })
	if i < 0 {
		return ""
	}
	return m.Params[i].Name
}
