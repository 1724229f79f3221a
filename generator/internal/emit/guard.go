package emit

import (
	"github.com/dave/jennifer/jen"
)

// guard writes what does not compile once the type or function inside has
// changed, under a name that says what to do.
func (e *emitter) guard() {
	w := e.wrapper
	if w.Guard == "" {
		return
	}
	e.file.Commentf("// %s is %s as it was when this file was generated.", w.Guard, w.Type)
	e.file.Type().Id(w.Guard).Add(e.typeParams(), e.before())
	e.file.Line()
	guard := jen.Id(w.Guard).Add(e.typeArgs())
	same := jen.Var().Id("_").Add(guard).Op("=").Add(e.now())
	if w.Interface { // which may have got methods
		same = jen.Var().Id("_").Add(e.inner()).Op("=").Add(guard).Call(jen.Nil())
	}
	if len(w.TypeParams) == 0 {
		e.file.Add(same)
	} else {
		e.file.Func().Id("_").Add(e.typeParams()).Params().Block(same)
	}
	e.file.Line()
}

// before is the type inside, or the function's, as it was found.
func (e *emitter) before() *jen.Statement {
	if e.wrapper.Func {
		return jen.Func().Add(signature(e.wrapper.Methods[0]))
	}
	var methods []jen.Code
	for _, m := range e.wrapper.Methods {
		methods = append(methods, jen.Id(m.Name).Add(signature(m)))
	}
	return jen.Interface(methods...)
}

// now is a value of the type inside, or the function.
func (e *emitter) now() *jen.Statement {
	if e.wrapper.Func {
		return jen.Id(e.wrapper.Type).Add(e.typeArgs())
	}
	return jen.Parens(e.inner()).Call(jen.Nil())
}
