package resolve

import (
	"maps"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// nameLocals names the local variables of a method and of its rules'
// functions.
func (r *resolver) nameLocals(w *model.Wrapper, m *method) {
	scope := naming.NewScope(m.of.scope(r.scope), w.Receiver)
	for _, v := range m.Params {
		scope.Take(v.Name)
	}
	for i, v := range m.Results {
		if i < len(m.Results)-1 || !isError(v.Type) {
			scope.Take(v.Name)
		}
	}
	l := m.Limit
	m.nameContext(scope)
	l.Decision, l.Err, l.Refusal = scope.Fresh("d"), scope.Fresh("err"), scope.Fresh("refusal")
	if l.Settled() {
		m.nameResults(scope)
	}
	if slices.ContainsFunc(l.Rules, func(rule *model.Rule) bool { return rule.CallTag != nil && rule.Func == nil }) {
		l.Tag = scope.Fresh("tag")
	}
	for _, rule := range l.Rules {
		r.nameRequest(scope, w, m, rule)
	}
	l.Taken = m.taken(scope)
}

// taken are the names that no further variable in scope may have, in no order.
func (m *method) taken(scope *naming.Scope) []string {
	return scope.AppendOwn(slices.Collect(maps.Keys(m.hidden)))
}

// nameResults names the variables that take the results of a call that is
// settled: the results themselves where they have names.
func (m *method) nameResults(scope *naming.Scope) {
	last := len(m.Results) - 1
	for i, v := range m.Results {
		name := v.Name
		switch {
		case name != "" && name != "_":
		case i == last:
			name = m.Limit.Err
		default:
			name, m.Limit.Declares = scope.Fresh("result"), true
		}
		m.Limit.Results = append(m.Limit.Results, name)
	}
}

// nameRequest names the variables of the code that makes the request of a
// rule, which stands in the method or in a function.
func (r *resolver) nameRequest(scope *naming.Scope, w *model.Wrapper, m *method, rule *model.Rule) {
	if rule.Refund != nil && rule.Refund.Const == "" && !rule.Refund.Func {
		rule.Local = scope.Fresh("rule")
	}
	key := "key"
	switch {
	case rule.Func != nil:
		scope = r.nameFunc(w, m, rule.Func, "request", rule.When, rule.Key, rule.Limit, rule.Cost, rule.CallTag)
		if rule.Local != "" {
			rule.Func.Rule = scope.Fresh("rule")
		}
		rule.TagVar = scope.Fresh("tag")
		key = "b"
	case rule.When != nil:
		rule.Request = scope.Fresh("request")
	}
	rule.LimitVar = scope.Fresh("limit")
	if rule.WhenFunc != nil {
		when := r.nameFunc(w, m, rule.WhenFunc, "applies", rule.When)
		rule.WhenFunc.Taken = m.taken(when)
		rule.Applies, rule.Broken = scope.Fresh("applies"), scope.Fresh("broken")
	}
	if rule.Key != nil && model.Appended(rule.Key) {
		rule.Buffer, rule.Bytes = scope.Fresh("buf"), scope.Fresh(key)
	}
	if rule.Func != nil {
		rule.Func.Taken = m.taken(scope)
	}
}

// nameFunc names the parameters and variables of a function that evaluates
// expressions.
func (r *resolver) nameFunc(w *model.Wrapper, m *method, f *model.Func, result string, exprs ...*keyexpr.Expr) *naming.Scope {
	f.Params = m.params(exprs...)
	scope := naming.NewScope(m.of.scope(r.scope), w.Receiver)
	for _, p := range f.Params {
		scope.Take(p.Name)
	}
	f.Result, f.Err, f.Reason = scope.Fresh(result), scope.Fresh("err"), scope.Fresh("reason")
	return scope
}

// context is the parameter that is the call's context, or else the request that
// has it, or -1.
func (m *method) context() int {
	i := slices.IndexFunc(m.Params, func(p model.Var) bool { return isContext(p.Type) })
	if i < 0 {
		i = slices.IndexFunc(m.Params, func(p model.Var) bool { return isRequest(p.Type) })
	}
	return i
}

// nameContext names the call's context.
func (m *method) nameContext(scope *naming.Scope) {
	switch i := m.context(); {
	case i < 0:
	case isContext(m.Params[i].Type):
		m.Limit.Context = m.Params[i].Name
	default:
		m.Limit.Context, m.Limit.Request = scope.Fresh("ctx"), m.Params[i].Name
	}
}
