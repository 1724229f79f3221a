package emit

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// inner is the type that the wrapper holds.
func (e *emitter) inner() *jen.Statement {
	typ := jen.Id(e.wrapper.Type).Add(e.typeArgs())
	if e.wrapper.Interface {
		return typ
	}
	return jen.Op("*").Add(typ)
}

// self is the wrapper's own type.
func (e *emitter) self() *jen.Statement { return jen.Id(e.wrapper.Name).Add(e.typeArgs()) }

// typeParams declares the type parameters, if there are any.
func (e *emitter) typeParams() *jen.Statement {
	var list []jen.Code
	for i, p := range e.wrapper.TypeParams {
		code := jen.Id(p.Name)
		if i+1 == len(e.wrapper.TypeParams) || !model.SameText(p.Type, e.wrapper.TypeParams[i+1].Type) {
			code.Add(constraint(p.Type))
		}
		list = append(list, code)
	}
	if list == nil {
		return jen.Null()
	}
	return jen.Types(list...)
}

// constraint writes a constraint so that nothing takes it for an expression.
func constraint(t types.Type) *jen.Statement {
	if text := types.TypeString(t, nil); strings.HasPrefix(text, "*") || strings.HasPrefix(text, "(") {
		return jen.Interface(typ(t))
	}
	return typ(t)
}

// typeArgs names the type parameters, if there are any.
func (e *emitter) typeArgs() *jen.Statement {
	var list []jen.Code
	for _, p := range e.wrapper.TypeParams {
		list = append(list, jen.Id(p.Name))
	}
	if list == nil {
		return jen.Null()
	}
	return jen.Types(list...)
}

// funcTypeArgs are the type arguments of a function that cannot infer them
// from the wrapper.
func (e *emitter) funcTypeArgs() *jen.Statement {
	if e.wrapper.Func {
		return e.typeArgs()
	}
	return jen.Null()
}

// receiver declares the parameter that stands for the wrapper.
func (e *emitter) receiver() *jen.Statement {
	receiver := jen.Id(e.wrapper.Receiver).Op("*")
	if e.wrapper.Func {
		return receiver.Qual(model.Runtime, "Limiter")
	}
	return receiver.Add(e.self())
}

// embedded is the field of the wrapper for an embedded type.
func (e *emitter) embedded(embed model.Embed) *jen.Statement {
	alias := jen.Id(embed.Alias).Add(e.typeArgs())
	if embed.Field == "" || embed.Interface {
		return alias
	}
	return jen.Op("*").Add(alias)
}

// aliases declares the names of embedded types.
func (e *emitter) aliases() {
	for _, embed := range e.wrapper.Embeds {
		e.file.Commentf("// %s has the methods that no other package can write.", embed.Alias)
		e.file.Type().Id(embed.Alias).Add(e.typeParams()).Op("=").Add(typ(embed.Type))
		e.file.Line()
	}
}

// embeds are the values of the embedded fields.
func (e *emitter) embeds() []jen.Code {
	var all []jen.Code
	for _, embed := range e.wrapper.Embeds {
		value := jen.Id("next")
		if embed.Field != "" {
			value.Dot(embed.Field)
		}
		if embed.Field != "" && !embed.Pointer && !embed.Interface {
			value = jen.Op("&").Add(value)
		}
		all = append(all, jen.Id(embed.Alias).Op(":").Add(value))
	}
	return all
}

// wrapFunc writes a function that returns a limited one.
func (e *emitter) wrapFunc() {
	w, m := e.wrapper, e.wrapper.Methods[0]
	e.globals(m)
	e.rules(m)
	e.file.Commentf("// %s returns %s with its calls limited by %s.", w.Constructor, w.Type, w.Receiver)
	e.file.Comment("//")
	for _, line := range comment(m) {
		e.file.Comment(line)
	}
	limiter := jen.Params(jen.Id(w.Receiver).Op("*").Qual(model.Runtime, "Limiter"))
	call := jen.Id(w.Type).Add(e.typeArgs()).Call(arguments(m)...)
	e.file.Func().Id(w.Constructor).Add(e.typeParams(), limiter).Func().Add(signature(m)).Block(
		jen.Return(jen.Func().Add(signature(m)).BlockFunc(e.body(m, call))),
	)
	e.file.Line()
	e.guard()
	e.funcs(m)
}
