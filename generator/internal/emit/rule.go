package emit

import (
	"slices"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// globals declares the variables that the expressions of a method's rules need.
func (e *emitter) globals(m *model.Method) {
	if m.Limit == nil {
		return
	}
	for _, g := range m.Limit.Globals {
		e.file.Commentf("// %s %s.", g.Name, g.Doc)
		e.file.Var().Id(g.Name).Op("=").Add(g.Code())
		e.file.Line()
	}
}

// fieldsInRow is how many of the optional fields of a rule stand on one line.
const fieldsInRow = 4

// rules declares the variables of a method's rules.
func (e *emitter) rules(m *model.Method) {
	if m.Limit == nil {
		return
	}
	for _, r := range m.Limit.Rules {
		rows := append([][]jen.Code{required(r)}, slices.Collect(slices.Chunk(optional(r), fieldsInRow))...)
		e.file.Var().Id(r.Var).Op("=").Qual(model.Runtime, "Rule").Add(lines(rows...))
		e.file.Line()
	}
}

func required(r *model.Rule) []jen.Code {
	fields := []jen.Code{
		field("Name", jen.Lit(r.Name)),
		field("Algorithm", jen.Qual(model.Runtime, r.Spec.Algorithm.Info().Const)),
	}
	if r.Limit == nil {
		fields = append(fields, field("Limit", integer(r.Spec.Limit)))
	}
	fields = append(fields, window(r.Spec)...)
	if r.Spec.Burst != 0 {
		fields = append(fields, field("Burst", burst(r.Spec)))
	}
	return fields
}

func window(spec rules.Spec) []jen.Code {
	if spec.Calendar == rules.NoCalendar {
		return []jen.Code{field("Window", duration(spec.Window))}
	}
	fields := []jen.Code{field("Calendar", jen.Qual(model.Runtime, spec.Calendar.Info().Const))}
	if spec.Zone != "" {
		fields = append(fields, field("Zone", jen.Lit(spec.Zone)))
	}
	return fields
}

func optional(r *model.Rule) []jen.Code {
	var fields []jen.Code
	add := func(name string, set bool, value *jen.Statement) {
		if set {
			fields = append(fields, field(name, value))
		}
	}
	add("Tag", r.Tag != "", jen.Lit(r.Tag))
	add("Tagged", r.CallTag != nil, jen.True())
	add("Fail", r.Fail != "", jen.Qual(model.Runtime, r.Fail))
	add("Message", r.Message != "", jen.Lit(r.Message))
	add("Wait", r.Wait != 0, duration(r.Wait))
	add("Private", r.Private, jen.True())
	add("Shadow", r.Shadow, jen.True())
	add("Log", r.Log != "", jen.Qual(model.Runtime, r.Log))
	add("Refund", r.Refund != nil && r.Local == "", refund(r.Refund))
	return fields
}

func burst(spec rules.Spec) *jen.Statement {
	if spec.Burst == rules.NoQueue {
		return jen.Qual(model.Runtime, "NoQueue")
	}
	return integer(spec.Burst)
}

func refund(r *model.Refund) *jen.Statement {
	switch {
	case r == nil:
		return nil
	case r.Const != "":
		return jen.Qual(model.Runtime, r.Const)
	}
	return jen.Qual(r.Package, r.Name)
}

func duration(d time.Duration) *jen.Statement {
	n, unit := model.Duration(d)
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
