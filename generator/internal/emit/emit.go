// Package emit writes the model of a package as Go code: short, in the order
// of the source, and gofmt-clean.
package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/layout"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// Package returns the generated file of p.
func Package(p *model.Package) ([]byte, error) {
	text, err := render(p)
	if err != nil {
		return nil, err
	}
	src, err := layout.Source(text...)
	if err != nil {
		return nil, fmt.Errorf("package %s: the generated code does not parse: %w", p.Path, err)
	}
	return groupImports(src), nil
}

type emitter struct {
	pkg     *model.Package
	wrapper *model.Wrapper
	file    *jen.File // a section of it
}

func (e *emitter) wrap() {
	e.typeDecl()
	e.constructor()
	e.guard()
	if e.wrapper.Unwrap {
		e.unwrap()
	}
}

func (e *emitter) methods(methods []*model.Method) {
	for _, m := range methods {
		e.globals(m)
		e.rules(m)
		e.method(m)
		e.funcs(m)
	}
}

func (e *emitter) typeDecl() {
	w := e.wrapper
	if w.Limited() {
		e.file.Commentf("// %s is %s with rate limits on its calls.", w.Name, w.Type)
	} else {
		e.file.Commentf("// %s passes its calls on to a %s. None is limited yet.", w.Name, w.Type)
	}
	e.file.Type().Id(w.Name).Add(e.typeParams()).StructFunc(func(fields *jen.Group) {
		for _, embed := range w.Embeds {
			fields.Add(e.embedded(embed))
		}
		fields.Id(w.Next).Add(e.inner())
		fields.Id(w.Limiter).Op("*").Qual(model.Runtime, "Limiter")
	})
	e.file.Line()
	e.aliases()
}

func (e *emitter) constructor() {
	w := e.wrapper
	e.file.Commentf("// %s returns next with its calls limited by limiter.", w.Constructor)
	fields := append(e.embeds(),
		jen.Id(w.Next).Op(":").Id("next"),
		jen.Id(w.Limiter).Op(":").Id("limiter"),
	)
	e.file.Func().Id(w.Constructor).Add(e.typeParams()).Params(
		jen.Id("next").Add(e.inner()),
		jen.Id("limiter").Op("*").Qual(model.Runtime, "Limiter"),
	).Op("*").Add(e.self()).Block(
		jen.Return(jen.Op("&").Add(e.self(), oneLine(fields...))),
	)
	e.file.Line()
}

func (e *emitter) unwrap() {
	w := e.wrapper
	e.file.Commentf("// Unwrap returns the %s inside, whose calls are not limited.", w.Type)
	e.receive("Unwrap").Params().Add(e.inner()).Block(jen.Return(e.next()))
	e.file.Line()
}

// receive starts a method of the wrapper.
func (e *emitter) receive(name string) *jen.Statement {
	return e.file.Func().Params(jen.Id(e.wrapper.Receiver).Op("*").Add(e.self())).Id(name)
}

// limiter is the limiter of the wrapper.
func (e *emitter) limiter() *jen.Statement {
	if e.wrapper.Func {
		return jen.Id(e.wrapper.Receiver)
	}
	return jen.Id(e.wrapper.Receiver).Dot(e.wrapper.Limiter)
}

func (e *emitter) next() *jen.Statement {
	return jen.Id(e.wrapper.Receiver).Dot(e.wrapper.Next)
}

// oneLine is a composite literal's braces with all elements on one line.
func oneLine(elements ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ", "}, elements...)
}
