package resolve

import (
	"fmt"
	"go/types"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// checks resolves the checks of a method's rules, each once, in the order of
// the source.
func (r *resolver) checks(m *method) []model.Callee {
	var all []model.Callee
	seen := map[*types.Func]bool{}
	for _, rule := range m.source.Rules {
		if fn := r.check(m, rule); fn != nil && !seen[fn] {
			seen[fn] = true
			all = append(all, r.called(m, rule, "check", fn))
		}
	}
	return all
}

func (r *resolver) check(m *method, rule collect.Rule) *types.Func {
	if has(rule, "check") && !m.returnsError() {
		r.at(rule.ItemPos("check"), "%s returns no error with which check= could refuse a call", m.Name)
		return nil
	}
	return r.callee(m, rule, "check", func(fn *types.Func) string { return r.cannotCheck(m, fn) })
}

// cannotCheck returns why a function is no check of a method, or "".
func (r *resolver) cannotCheck(m *method, fn *types.Func) string {
	have := fn.Signature()
	params := m.sig.Params()
	want := types.NewSignatureType(nil, nil, nil, params, types.NewTuple(types.NewVar(0, nil, "", errorType)), m.sig.Variadic())
	switch {
	case fn == m.fn:
		return "cannot be its own check: its calls would not be limited"
	case have.TypeParams().Len() > 0:
		return "has type parameters, a check has none"
	case r.differs(have, want) != "":
		return "does not fit " + m.Name + ": " + r.differs(have, want)
	case !types.Identical(have, want):
		return fmt.Sprintf("must be %s; it is %s", r.signature(want), r.signature(have))
	}
	return ""
}

// refund resolves the refund of a rule, nil if it has none or a bad one.
func (r *resolver) refund(m *method, rule collect.Rule) *model.Refund {
	item, ok := rule.Item("refund")
	if !ok || item.Bad {
		return nil
	}
	if !m.returnsError() {
		r.at(rule.ItemPos("refund"), "%s returns no error by which refund= could tell", m.Name)
		return nil
	}
	switch item.Text {
	case "error":
		return &model.Refund{Const: "OnError"}
	case "success":
		return &model.Refund{Const: "OnSuccess"}
	}
	fn := r.callee(m, rule, "refund", r.cannotTell)
	if fn == nil {
		return nil
	}
	return &model.Refund{Callee: r.called(m, rule, "refund", fn)}
}

// cannotTell returns why a function cannot say when to refund, or "".
func (r *resolver) cannotTell(fn *types.Func) string {
	have := fn.Signature()
	want := types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewVar(0, nil, "err", errorType)),
		types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool])), false)
	switch {
	case have.TypeParams().Len() > 0:
		return "has type parameters, refund= takes a function without"
	case !types.Identical(have, want):
		return fmt.Sprintf("must be error, success or a %s; it is %s", r.signature(want), r.signature(have))
	}
	return ""
}
