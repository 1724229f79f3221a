package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// funcs writes the functions that make what can fail.
func (e *emitter) funcs(m *model.Method) {
	if m.Limit == nil {
		return
	}
	for _, r := range m.Limit.Rules {
		if r.Func != nil {
			e.requestFunc(r)
		}
		if r.WhenFunc != nil {
			e.whenFunc(r)
		}
	}
}

// requestFunc writes the function that makes the requests of a rule. The limit
// and the tag are known before anything else is tried, so that a broken key is
// counted under them; a broken limit stays 0, which refuses the call.
func (e *emitter) requestFunc(r *model.Rule) {
	f, of := r.Func, parts{rule: r.Var, limit: r.LimitVar, tag: r.TagVar}
	if f.Rule != "" {
		of.rule = f.Rule
	}
	broken := func(why *jen.Statement) *jen.Statement {
		return of.with(place{}, jen.Id(of.rule).Dot("Try").Call(jen.Lit(""), why), r)
	}
	e.file.Commentf("// %s makes the requests of %s; whatever goes wrong on the way makes a broken key of it.", f.Name, r.Var)
	e.file.Func().Id(f.Name).Add(e.typeParams(), e.params(f)).Params(jen.Id(f.Result).Qual(model.Runtime, "Request")).BlockFunc(func(body *jen.Group) {
		if r.Limit != nil {
			body.Var().Id(r.LimitVar).Int64()
		}
		if r.CallTag != nil {
			body.Var().Id(r.TagVar).String()
		}
		rescue(body, f, jen.Id(f.Result).Op("=").Add(broken(reason(f))))
		names := slices.Clone(f.Taken)
		fail := func(err *jen.Statement) jen.Code { return jen.Return(broken(err)) }
		p := place{Group: body, names: &names, err: f.Err, fail: fail}
		e.when(p, r, func(then place) { of.evaluate(then, r) })
		if r.When != nil {
			body.Return(jen.Qual(model.Runtime, "Request").Values())
		}
	})
	e.file.Line()
}

func (of parts) evaluate(p place, r *model.Rule) {
	if r.Limit != nil {
		limit := p.number(r.Limit)
		p.Id(of.limit).Op("=").Add(limit)
	}
	if r.CallTag != nil {
		tag := p.tag(r)
		p.Id(of.tag).Op("=").Add(tag)
	}
	request := of.make(p, r)
	p.Return(request)
}

// whenFunc writes the function that tells whether a rule applies.
func (e *emitter) whenFunc(r *model.Rule) {
	f := r.WhenFunc
	e.file.Commentf("// %s tells whether %s applies; whatever goes wrong on the way means that it does, with a broken key.", f.Name, r.Var)
	results := jen.Params(jen.Id(f.Result).Bool(), jen.Id(f.Err).Error())
	e.file.Func().Id(f.Name).Add(e.typeParams(), e.params(f), results).BlockFunc(func(body *jen.Group) {
		rescue(body, f, jen.List(jen.Id(f.Result), jen.Id(f.Err)).Op("=").List(jen.True(), reason(f)))
		names := slices.Clone(f.Taken)
		fail := func(err *jen.Statement) jen.Code { return jen.Return(jen.True(), err) }
		p := place{Group: body, names: &names, err: f.Err, fail: fail}
		applies := p.boolean(r.When)
		body.Return(applies, jen.Nil())
	})
	e.file.Line()
}

func (e *emitter) params(f *model.Func) *jen.Statement {
	return jen.ParamsFunc(func(params *jen.Group) {
		params.Add(e.receiver())
		if f.Rule != "" {
			params.Id(f.Rule).Op("*").Qual(model.Runtime, "Rule")
		}
		for _, p := range f.Params {
			params.Id(p.Name).Add(typ(p.Type))
		}
	})
}

// rescue writes what happens when the function panics.
func rescue(body *jen.Group, f *model.Func, then jen.Code) {
	body.Defer().Func().Params().Block(
		jen.If(jen.Id(f.Reason).Op(":=").Recover(), jen.Id(f.Reason).Op("!=").Nil()).Block(then),
	).Call()
}

// reason is the value of a panic as an error.
func reason(f *model.Func) *jen.Statement {
	return jen.Qual("fmt", "Errorf").Call(jen.Lit("%v"), jen.Id(f.Reason))
}
