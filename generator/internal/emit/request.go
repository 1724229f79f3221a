package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// requests are what a call asks of the rules; what they need first is added to
// body.
func (e *emitter) requests(body *jen.Group, m *model.Method) []jen.Code {
	if m.Limit.Tag != "" {
		i := slices.IndexFunc(m.Limit.Rules, func(r *model.Rule) bool { return r.CallTag != nil && r.Func == nil })
		body.Id(m.Limit.Tag).Op(":=").Add(tag(m.Limit.Rules[i]))
	}
	var all []jen.Code
	for _, r := range m.Limit.Rules {
		if r.Local != "" {
			e.local(body, r)
		}
		all = append(all, e.request(body, m, r))
	}
	return all
}

// local makes a copy of a rule that asks the type inside when to refund.
func (e *emitter) local(body *jen.Group, r *model.Rule) {
	body.Id(r.Local).Op(":=").Id(r.Var)
	body.Id(r.Local).Dot("Refund").Op("=").Add(e.callee(r.Refund.Callee))
}

// tag is the tag of a call.
func tag(r *model.Rule) *jen.Statement {
	if r.Digested {
		return jen.Qual(model.Runtime, "Hash").Call(r.CallTag.Code())
	}
	return r.CallTag.Code()
}

// ruleID is the variable of a rule in the method.
func ruleID(r *model.Rule) string {
	if r.Local != "" {
		return r.Local
	}
	return r.Var
}

func (e *emitter) request(body *jen.Group, m *model.Method, r *model.Rule) *jen.Statement {
	p := parts{rule: ruleID(r), tag: m.Limit.Tag}
	switch {
	case r.Func != nil:
		return e.callFunc(r.Func, r)
	case r.When == nil:
		return p.make(body, r)
	}
	body.Var().Id(r.Request).Qual(model.Runtime, "Request")
	e.when(body, r, func(then *jen.Group) {
		request := p.make(then, r)
		then.Id(r.Request).Op("=").Add(request)
	})
	return jen.Id(r.Request)
}

// when writes what happens where the rule applies.
func (e *emitter) when(body *jen.Group, r *model.Rule, then func(*jen.Group)) {
	switch {
	case r.When == nil:
		then(body)
	case r.WhenFunc == nil:
		body.If(r.When.Code()).BlockFunc(then)
	default:
		answer := jen.List(jen.Id(r.Applies), jen.Id(r.Broken)).Op(":=").Add(e.callFunc(r.WhenFunc, r))
		body.If(answer, jen.Id(r.Applies)).BlockFunc(then)
	}
}

func (e *emitter) callFunc(f *model.Func, r *model.Rule) *jen.Statement {
	args := []jen.Code{jen.Id(e.wrapper.Receiver)}
	if f.Rule != "" {
		args = append(args, jen.Op("&").Id(r.Local))
	}
	for _, p := range f.Params {
		args = append(args, jen.Id(p.Name))
	}
	return jen.Id(f.Name).Call(args...)
}

// parts are what a request is made of besides its key: the variables that hold
// the rule, and its limit and tag where these were evaluated before.
type parts struct {
	rule, limit, tag string
}

// make is the request of a rule.
func (p parts) make(body *jen.Group, r *model.Rule) *jen.Statement {
	k := key(body, r)
	request := jen.Id(p.rule).Dot("For").Call(k)
	if r.WhenFunc != nil {
		request = jen.Id(p.rule).Dot("Try").Call(k, jen.Id(r.Broken))
	}
	return p.cost(p.with(request, r), r)
}

// with adds the limit and the tag of the call.
func (p parts) with(request *jen.Statement, r *model.Rule) *jen.Statement {
	switch {
	case r.Limit == nil:
	case p.limit != "":
		request.Dot("WithLimit").Call(jen.Id(p.limit))
	default:
		request.Dot("WithLimit").Call(number(r.Limit))
	}
	if r.CallTag != nil {
		request.Dot("WithTag").Call(jen.Id(p.tag))
	}
	return request
}

func (p parts) cost(request *jen.Statement, r *model.Rule) *jen.Statement {
	switch {
	case r.Cost != nil:
		request.Dot("WithCost").Call(number(r.Cost))
	case r.Units > 1:
		request.Dot("WithCost").Call(integer(r.Units))
	}
	return request
}
