package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// rules declares the variables of a method's rules.
func (e *emitter) rules(m *model.Method) {
	if m.Limit == nil {
		return
	}
	for _, r := range m.Limit.Rules {
		e.file.Var().Id(r.Var).Op("=").Qual(model.Runtime, "Rule").Add(lines(required(r), optional(r)))
		e.file.Line()
	}
}

func required(r *model.Rule) []jen.Code {
	return []jen.Code{
		field("Name", jen.Lit(r.Name)),
		field("Algorithm", jen.Qual(model.Runtime, r.Spec.Algorithm.Info().Const)),
		field("Limit", integer(r.Spec.Limit)),
		field("Window", window(r)),
	}
}

func optional(r *model.Rule) []jen.Code {
	var fields []jen.Code
	if r.Tag != "" {
		fields = append(fields, field("Tag", jen.Lit(r.Tag)))
	}
	if r.Fail != "" {
		fields = append(fields, field("Fail", jen.Qual(model.Runtime, r.Fail)))
	}
	if r.Message != "" {
		fields = append(fields, field("Message", jen.Lit(r.Message)))
	}
	return fields
}

func window(r *model.Rule) *jen.Statement {
	n, unit := model.Window(r.Spec.Window)
	if n == 1 {
		return jen.Qual("time", unit)
	}
	return integer(n).Op("*").Qual("time", unit)
}

// integer is an untyped constant, which jen.Lit cannot write for an int64.
func integer(n int64) *jen.Statement { return jen.Id(strconv.FormatInt(n, 10)) }

func field(name string, value jen.Code) *jen.Statement {
	return jen.Id(name).Op(":").Add(value)
}

// lines is a composite literal's braces with a group of elements a line.
func lines(groups ...[]jen.Code) *jen.Statement {
	var rows []jen.Code
	for _, g := range groups {
		if len(g) > 0 {
			rows = append(rows, jen.Custom(jen.Options{Separator: ", "}, g...))
		}
	}
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, rows...)
}
