package emit

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// method writes a method of the wrapper.
func (e *emitter) method(m *model.Method) {
	for _, line := range comment(m) {
		e.file.Comment(line)
	}
	e.receive(m.Name).Add(signature(m)).BlockFunc(func(body *jen.Group) {
		if m.Limit != nil {
			e.limit(body, m)
		}
		answer(body, m, e.next().Dot(m.Name).Call(arguments(m)...))
	})
	e.file.Line()
}

func signature(m *model.Method) *jen.Statement {
	s := jen.Params(fields(m.Params, m.Variadic)...)
	switch {
	case len(m.Results) == 0:
		return s
	case len(m.Results) == 1 && m.Results[0].Name == "":
		return s.Add(typ(m.Results[0].Type))
	}
	return s.Params(fields(m.Results, false)...)
}

// fields are parameters or results, those of one type in a row together.
func fields(vars []model.Var, variadic bool) []jen.Code {
	var list []jen.Code
	var names []jen.Code
	for i, v := range vars {
		names = append(names, jen.Id(v.Name))
		rest := vars[i+1:]
		spread := variadic && len(rest) == 0
		joins := v.Name != "" && len(rest) > 0 && !(variadic && len(rest) == 1) && sameText(v.Type, rest[0].Type)
		if !joins {
			list = append(list, jen.List(names...).Add(paramType(v.Type, spread)))
			names = nil
		}
	}
	return list
}

func sameText(a, b types.Type) bool {
	return types.TypeString(a, nil) == types.TypeString(b, nil)
}

func paramType(t types.Type, variadic bool) *jen.Statement {
	if slice, ok := t.(*types.Slice); ok && variadic {
		return jen.Op("...").Add(typ(slice.Elem()))
	}
	return typ(t)
}

// arguments are the parameters as they are passed on.
func arguments(m *model.Method) []jen.Code { return spread(m, m.Variadic) }

func spread(m *model.Method, variadic bool) []jen.Code {
	var args []jen.Code
	for i, p := range m.Params {
		arg := jen.Id(p.Name)
		if variadic && i == len(m.Params)-1 {
			arg.Op("...")
		}
		args = append(args, arg)
	}
	return args
}

// answer ends a body, or a branch of it, with a call whose results are the
// method's.
func answer(body *jen.Group, m *model.Method, call *jen.Statement) {
	if len(m.Results) == 0 {
		body.Add(call)
		return
	}
	body.Return(call)
}

// limit writes what stands before the call: the keys, the decision, and the
// answers to a refusal.
func (e *emitter) limit(body *jen.Group, m *model.Method) {
	var requests []jen.Code
	for _, r := range m.Limit.Rules {
		requests = append(requests, e.request(body, r))
	}
	ctx := jen.Qual("context", "Background").Call()
	if m.Limit.Context != "" {
		ctx = jen.Id(m.Limit.Context)
	}
	admit := jen.Id(e.wrapper.Receiver).Dot(e.wrapper.Limiter).Dot("Admit").Call(append([]jen.Code{ctx}, requests...)...)
	err := jen.Id(m.Limit.Err)
	failed := err.Clone().Op("!=").Nil()
	others := e.otherAnswers(m)
	if len(others) == 0 {
		body.If(jen.List(jen.Id("_"), err.Clone()).Op(":=").Add(admit), failed).BlockFunc(func(refused *jen.Group) {
			e.refuse(refused, m, m.Limit.Rules[0])
		})
		return
	}
	body.List(jen.Id(m.Limit.Decision), err.Clone()).Op(":=").Add(admit)
	body.If(failed).BlockFunc(func(refused *jen.Group) {
		e.choose(refused, m, others)
		e.refuse(refused, m, m.Limit.Rules[0])
	})
}

// otherAnswers groups the rules whose refusal is answered in another way than
// that of the first rule, in the order of the source.
func (e *emitter) otherAnswers(m *model.Method) [][]*model.Rule {
	first := m.Limit.Rules[0].Fallback
	var groups [][]*model.Rule
	for _, r := range m.Limit.Rules[1:] {
		same := func(g []*model.Rule) bool { return sameAnswer(r.Fallback, g[0].Fallback) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], r)
		} else if !sameAnswer(r.Fallback, first) {
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
	if len(groups) == 1 && len(groups[0]) == 1 {
		body.If(decided.Op("==").Op("&").Id(groups[0][0].Var)).BlockFunc(func(branch *jen.Group) {
			e.refuse(branch, m, groups[0][0])
		})
		return
	}
	body.Switch(decided).BlockFunc(func(cases *jen.Group) {
		for _, g := range groups {
			cases.CaseFunc(func(vars *jen.Group) {
				for _, r := range g {
					vars.Op("&").Id(r.Var)
				}
			}).BlockFunc(func(branch *jen.Group) { e.refuse(branch, m, g[0]) })
		}
	})
}

// refuse answers a refusal by a rule: with its fallback, or with zero values
// and the error.
func (e *emitter) refuse(body *jen.Group, m *model.Method, r *model.Rule) {
	if r.Fallback == nil {
		body.ReturnFunc(func(results *jen.Group) {
			for _, v := range m.Results[:len(m.Results)-1] {
				results.Add(zero(v.Type))
			}
			results.Id(m.Limit.Err)
		})
		return
	}
	e.fallback(body, m, r.Fallback)
	if len(m.Results) == 0 {
		body.Return()
	}
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
	callee := e.next().Dot(f.Name)
	if f.Func {
		callee = jen.Qual(f.Package, f.Name)
	}
	answer(body, m, callee.Call(args...))
}

// zero is the zero value of a type as one writes it in a return statement.
func zero(t types.Type) *jen.Statement {
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
