package emit

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// refused writes the answers to a refusal: the first rule's, after those of
// the rules that are answered in another way.
func (e *emitter) refused(body *jen.Group, m *model.Method) {
	first := fallbackRule(m)
	e.choose(body, m, e.otherAnswers(m, first))
	e.refuse(body, m, first)
}

// fallbackRule is the rule whose answer serves where no other is chosen: the
// first that can be answered at all.
func fallbackRule(m *model.Method) *model.Rule {
	for _, r := range m.Limit.Rules {
		if answerable(m, r) {
			return r
		}
	}
	return nil
}

// answerable reports whether a refusal by the rule has an answer. One by a
// rule in shadow, which is only told when the rule itself is wrong, may have
// none.
func answerable(m *model.Method, r *model.Rule) bool { return r.Fallback != nil || m.ReturnsError }

// otherAnswers groups the rules whose refusal is answered in another way than
// that of the first rule, in the order of the source.
func (e *emitter) otherAnswers(m *model.Method, first *model.Rule) [][]*model.Rule {
	var groups [][]*model.Rule
	for _, r := range m.Limit.Rules {
		if !answerable(m, r) || sameAnswer(r.Fallback, first.Fallback) {
			continue
		}
		same := func(g []*model.Rule) bool { return sameAnswer(r.Fallback, g[0].Fallback) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], r)
		} else {
			groups = append(groups, []*model.Rule{r})
		}
	}
	return groups
}

func sameAnswer(a, b *model.Fallback) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// choose answers a refusal by one of the groups.
func (e *emitter) choose(body *jen.Group, m *model.Method, groups [][]*model.Rule) {
	decided := jen.Id(m.Limit.Decision).Dot("Rule")
	switch {
	case len(groups) == 0:
		return
	case len(groups) == 1 && len(groups[0]) == 1:
		body.If(decided.Op("==").Op("&").Id(ruleID(groups[0][0]))).BlockFunc(func(branch *jen.Group) {
			e.refuse(branch, m, groups[0][0])
		})
		return
	}
	body.Switch(decided).BlockFunc(func(cases *jen.Group) {
		for _, g := range groups {
			cases.CaseFunc(func(vars *jen.Group) {
				for _, r := range g {
					vars.Op("&").Id(ruleID(r))
				}
			}).BlockFunc(func(branch *jen.Group) { e.refuse(branch, m, g[0]) })
		}
	})
}

// refuse answers a refusal by a rule: with its fallback, or with zero values
// and the error.
func (e *emitter) refuse(body *jen.Group, m *model.Method, r *model.Rule) {
	if r.Fallback == nil {
		failed(body, m)
		return
	}
	e.fallback(body, m, r.Fallback)
	if len(m.Results) == 0 {
		body.Return()
	}
}

// failed returns zero values and the error.
func failed(body *jen.Group, m *model.Method) {
	body.ReturnFunc(func(results *jen.Group) {
		for _, v := range m.Results[:len(m.Results)-1] {
			results.Add(zero(v.Type))
		}
		results.Id(m.Limit.Err)
	})
}

func (e *emitter) fallback(body *jen.Group, m *model.Method, f *model.Fallback) {
	var args []jen.Code
	if f.Args != model.NoArgs {
		args = spread(m, f.Spread)
	}
	if f.Args == model.WithErr {
		limitError := jen.Op("*").Qual(model.Runtime, "LimitError")
		body.List(jen.Id(m.Limit.Refusal), jen.Id("_")).Op(":=").
			Qual("errors", "AsType").Types(limitError).Call(jen.Id(m.Limit.Err))
		args = append(args, jen.Id(m.Limit.Refusal))
	}
	answer(body, m, e.callee(f.Callee).Call(args...))
}

// callee is a method of the type inside, or a function.
func (e *emitter) callee(c model.Callee) *jen.Statement {
	if c.Func {
		return jen.Qual(c.Package, c.Name)
	}
	return e.next().Dot(c.Name)
}

// zero is the zero value of a type as one writes it in a return statement.
func zero(t types.Type) *jen.Statement {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return jen.Op("*").New(typ(t))
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return zeroBasic(u)
	case *types.Struct, *types.Array:
		return typ(t).Values()
	}
	return jen.Nil()
}

func zeroBasic(t *types.Basic) *jen.Statement {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return jen.False()
	case t.Info()&types.IsString != 0:
		return jen.Lit("")
	case t.Info()&types.IsNumeric != 0:
		return jen.Lit(0)
	}
	return jen.Nil()
}
