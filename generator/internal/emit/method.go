package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// method writes a method of the wrapper.
func (e *emitter) method(m *model.Method) {
	for _, line := range comment(m) {
		e.file.Comment(line)
	}
	call := e.next().Dot(m.Name).Call(arguments(m)...)
	e.receive(m.Name).Add(signature(m)).BlockFunc(e.body(m, call))
	e.file.Line()
}

// body is the body of a method around the call of that inside.
func (e *emitter) body(m *model.Method, call *jen.Statement) func(*jen.Group) {
	return func(body *jen.Group) {
		if m.Limit != nil {
			e.limit(body, m)
		}
		if m.Limit != nil && m.Limit.Settled() {
			e.settle(body, m, call)
			return
		}
		answer(body, m, call)
	}
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
		joins := v.Name != "" && len(rest) > 0 && !(variadic && len(rest) == 1) && model.SameText(v.Type, rest[0].Type)
		if !joins {
			list = append(list, jen.List(names...).Add(paramType(v.Type, spread)))
			names = nil
		}
	}
	return list
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

// limit writes what stands before the call: the checks, the requests, the
// decision, and the answers to a refusal.
func (e *emitter) limit(body *jen.Group, m *model.Method) {
	for _, c := range m.Limit.Checks {
		e.check(body, m, c)
	}
	if m.Limit.Request != "" {
		e.requestContext(body, m.Limit)
	}
	requests := e.requests(body, m)
	ctx := append([]jen.Code{e.context(m)}, requests...)
	admit := e.limiter().Dot("Admit").Call(ctx...)
	err := jen.Id(m.Limit.Err)
	refused := err.Clone().Op("!=").Nil()
	answers := func(body *jen.Group) { e.refused(body, m) }
	switch first := fallbackRule(m); {
	case first == nil:
		body.Comment("The rules are in shadow, so whatever they say the call goes on.")
		body.List(jen.Id("_"), jen.Id("_")).Op("=").Add(admit)
	case len(e.otherAnswers(m, first)) == 0 && !m.Limit.Settled():
		body.If(jen.List(jen.Id("_"), err.Clone()).Op(":=").Add(admit), refused).BlockFunc(answers)
	default:
		body.List(jen.Id(m.Limit.Decision), err.Clone()).Op(":=").Add(admit)
		body.If(refused).BlockFunc(answers)
	}
}

// context is the context of a call.
func (e *emitter) context(m *model.Method) *jen.Statement {
	if m.Limit.Context == "" {
		return jen.Qual("context", "Background").Call()
	}
	return jen.Id(m.Limit.Context)
}

// requestContext writes how the context of a call is had from a request.
func (e *emitter) requestContext(body *jen.Group, l *model.Limit) {
	ctx, request := jen.Id(l.Context), jen.Id(l.Request)
	body.Add(ctx.Clone()).Op(":=").Qual("context", "Background").Call()
	body.If(request.Clone().Op("!=").Nil()).Block(ctx.Clone().Op("=").Add(request).Dot("Context").Call())
}

// check returns the error of a check as it is.
func (e *emitter) check(body *jen.Group, m *model.Method, c model.Callee) {
	err := jen.Id(m.Limit.Err)
	call := e.callee(c).Call(spread(m, c.Spread)...)
	body.If(err.Clone().Op(":=").Add(call), err.Clone().Op("!=").Nil()).BlockFunc(func(branch *jen.Group) {
		failed(branch, m)
	})
}

// settle ends a body with the call, whose error decides about refunds.
func (e *emitter) settle(body *jen.Group, m *model.Method, call *jen.Statement) {
	l := m.Limit
	var results []jen.Code
	for _, name := range l.Results {
		results = append(results, jen.Id(name))
	}
	assign := "="
	if l.Declares {
		assign = ":="
	}
	body.List(results...).Op(assign).Add(call)
	err := jen.Id(l.Results[len(l.Results)-1])
	body.Add(e.limiter()).Dot("Settle").Call(e.context(m), jen.Id(l.Decision), err)
	body.Return(results...)
}
