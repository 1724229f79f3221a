package resolve

import (
	"fmt"
	"go/types"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// fallback resolves the fallback of a rule, nil if it has none or a bad one.
func (r *resolver) fallback(m *method, rule collect.Rule) *model.Fallback {
	fn := r.callee(m, rule, "fallback", func(fn *types.Func) string { return r.cannotAnswer(m, rule, fn) })
	if fn == nil {
		return nil
	}
	args, _ := arguments(m.sig, fn.Signature())
	return &model.Fallback{Callee: r.called(m, rule, "fallback", fn), Args: args}
}

// cannotAnswer returns why a function is no fallback of a method, or "".
func (r *resolver) cannotAnswer(m *method, rule collect.Rule, fn *types.Func) string {
	have := fn.Signature()
	if fn == m.fn && rule.OfType {
		return "cannot be its own fallback: write //ratelimit:skip on it"
	}
	if fn == m.fn {
		return "cannot be its own fallback: its calls would not be limited"
	}
	if have.TypeParams().Len() > 0 {
		return "has type parameters, a fallback has none"
	}
	if _, ok := arguments(m.sig, have); !ok {
		want := m.sig
		if with := withError(m.sig, have); with != nil {
			want = with
		}
		if how := r.differs(have, want); how != "" {
			return "does not fit " + m.Name + ": " + how
		}
		return fmt.Sprintf("must be %s, also with a last *ratelimit.LimitError or without parameters; it is %s", r.signature(m.sig), r.signature(have))
	}
	return ""
}

// arguments returns which arguments of a method a fallback takes.
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
