package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// requests are what a call asks of the rules; what they need first is added to
// body.
func (e *emitter) requests(body *jen.Group, m *model.Method) []jen.Code {
	names := slices.Clone(m.Limit.Taken)
	p := place{Group: body, names: &names}
	if m.Limit.Tag != "" {
		i := slices.IndexFunc(m.Limit.Rules, func(r *model.Rule) bool { return r.CallTag != nil && r.Func == nil })
		tag := p.tag(m.Limit.Rules[i])
		body.Id(m.Limit.Tag).Op(":=").Add(tag)
	}
	var all []jen.Code
	for _, r := range m.Limit.Rules {
		if r.Local != "" {
			e.local(body, r)
		}
		all = append(all, e.request(p, m, r))
	}
	return all
}

// local makes a copy of a rule that asks the type inside when to refund.
func (e *emitter) local(body *jen.Group, r *model.Rule) {
	body.Id(r.Local).Op(":=").Id(r.Var)
	body.Id(r.Local).Dot("Refund").Op("=").Add(e.callee(r.Refund.Callee))
}

// tag is the tag of a call.
func (p place) tag(r *model.Rule) *jen.Statement {
	tag := p.value(r.CallTag)
	if r.Digested {
		return jen.Qual(model.Runtime, "Hash").Call(tag)
	}
	return tag
}

// ruleID is the variable of a rule in the method.
func ruleID(r *model.Rule) string {
	if r.Local != "" {
		return r.Local
	}
	return r.Var
}

func (e *emitter) request(p place, m *model.Method, r *model.Rule) *jen.Statement {
	of := parts{rule: ruleID(r), tag: m.Limit.Tag}
	switch {
	case r.Func != nil:
		return e.callFunc(r.Func, r)
	case r.When == nil:
		return of.make(p, r)
	}
	p.Var().Id(r.Request).Qual(model.Runtime, "Request")
	e.when(p, r, func(then place) {
		request := of.make(then, r)
		then.Id(r.Request).Op("=").Add(request)
	})
	return jen.Id(r.Request)
}

// when writes what happens where the rule applies.
func (e *emitter) when(p place, r *model.Rule, then func(place)) {
	block := func(g *jen.Group) { then(p.block(g)) }
	switch {
	case r.When == nil:
		then(p)
	case r.WhenFunc == nil:
		p.If(p.value(r.When)).BlockFunc(block)
	default:
		answer := jen.List(jen.Id(r.Applies), jen.Id(r.Broken)).Op(":=").Add(e.callFunc(r.WhenFunc, r))
		p.If(answer, jen.Id(r.Applies)).BlockFunc(block)
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
	return jen.Id(f.Name).Add(e.funcTypeArgs()).Call(args...)
}

// parts are what a request is made of besides its key: the variables that hold
// the rule, and its limit and tag where these were evaluated before.
type parts struct {
	rule, limit, tag string
}

// make is the request of a rule.
func (of parts) make(p place, r *model.Rule) *jen.Statement {
	if r.Limit != nil && of.limit == "" && r.Limit.Steps {
		limit := p.number(r.Limit)
		of.limit = r.LimitVar
		p.Id(of.limit).Op(":=").Add(limit)
	}
	k := p.key(r)
	request := jen.Id(of.rule).Dot("For").Call(k)
	if r.WhenFunc != nil {
		request = jen.Id(of.rule).Dot("Try").Call(k, jen.Id(r.Broken))
	}
	of.with(p, request, r)
	switch {
	case r.Cost != nil:
		request.Dot("WithCost").Call(p.number(r.Cost))
	case r.Units > 1:
		request.Dot("WithCost").Call(integer(r.Units))
	}
	return request
}

// with adds the limit and the tag of the call.
func (of parts) with(p place, request *jen.Statement, r *model.Rule) *jen.Statement {
	switch {
	case r.Limit == nil:
	case of.limit != "":
		request.Dot("WithLimit").Call(jen.Id(of.limit))
	default:
		request.Dot("WithLimit").Call(p.number(r.Limit))
	}
	if r.CallTag != nil {
		request.Dot("WithTag").Call(jen.Id(of.tag))
	}
	return request
}
