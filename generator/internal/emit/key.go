package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// request is what a rule asks for; what its key needs first is added to body.
func (e *emitter) request(body *jen.Group, r *model.Rule) *jen.Statement {
	rule := jen.Id(r.Var)
	switch {
	case r.Key == nil:
		return rule.Dot("For").Call(jen.Lit(""))
	case r.Key.Func != "":
		args := []jen.Code{jen.Id(e.wrapper.Receiver)}
		for _, p := range r.Key.Params {
			args = append(args, jen.Id(p.Name))
		}
		return rule.Dot("Try").Call(jen.Id(r.Key.Func).Call(args...))
	}
	return rule.Dot("For").Call(key(body, r.Key))
}

// key is a key as one expression, after the statements that it needs.
func key(body *jen.Group, k *model.Key) *jen.Statement {
	if !k.Appended() {
		return k.Concat()
	}
	body.Var().Id(k.Buffer).Index(jen.Lit(bufferSize(k.Pieces))).Byte()
	built := jen.Id(k.Buffer).Index(jen.Op(":").Lit(0))
	assign := ":="
	for i, p := range k.Pieces {
		built = appended(built, p)
		if followedByValue(k.Pieces, i) {
			continue
		}
		body.Id(k.Bytes).Op(assign).Add(built)
		built, assign = jen.Id(k.Bytes), "="
	}
	return jen.String().Call(jen.Id(k.Bytes))
}

// followedByValue reports whether the piece is a literal that is appended in
// one statement with the value after it.
func followedByValue(pieces []keyexpr.Piece, i int) bool {
	return pieces[i].Kind == keyexpr.Literal && i+1 < len(pieces)
}

func appended(to *jen.Statement, p keyexpr.Piece) *jen.Statement {
	switch p.Kind {
	case keyexpr.Int:
		return jen.Qual("strconv", "AppendInt").Call(to, p.Code(), jen.Lit(10))
	case keyexpr.Uint:
		return jen.Qual("strconv", "AppendUint").Call(to, p.Code(), jen.Lit(10))
	case keyexpr.Bool:
		return jen.Qual("strconv", "AppendBool").Call(to, p.Code())
	}
	return jen.Append(to, p.Code().Op("..."))
}

// bufferSize is the room for a key on the stack: what the numbers and literals
// take at most and a guess for the strings. A longer key costs an allocation.
func bufferSize(pieces []keyexpr.Piece) int {
	const (
		number      = 20
		boolean     = 5
		text        = 24
		least, most = 32, 256
	)
	n := 0
	for _, p := range pieces {
		switch p.Kind {
		case keyexpr.Literal:
			n += len(p.Text)
		case keyexpr.Bool:
			n += boolean
		case keyexpr.String:
			n += text
		default:
			n += number
		}
	}
	size := least
	for size < n && size < most {
		size *= 2
	}
	return size
}

// keyFuncs writes the functions that build keys which can fail.
func (e *emitter) keyFuncs(m *model.Method) {
	if m.Limit == nil {
		return
	}
	for _, r := range m.Limit.Rules {
		if r.Key != nil && r.Key.Func != "" {
			e.keyFunc(r)
		}
	}
}

func (e *emitter) keyFunc(r *model.Rule) {
	k := r.Key
	e.file.Commentf("// %s builds the key of %s; a panic on the way makes a broken key of it.", k.Func, r.Var)
	e.file.Func().Id(k.Func).ParamsFunc(func(params *jen.Group) {
		params.Id(e.wrapper.Receiver).Op("*").Id(e.wrapper.Name)
		for _, p := range k.Params {
			params.Id(p.Name).Add(typ(p.Type))
		}
	}).Params(jen.Id(k.Result).String(), jen.Id(k.Err).Error()).BlockFunc(func(body *jen.Group) {
		body.Defer().Func().Params().Block(
			jen.If(jen.Id(k.Reason).Op(":=").Recover(), jen.Id(k.Reason).Op("!=").Nil()).Block(
				jen.Id(k.Err).Op("=").Qual("fmt", "Errorf").Call(jen.Lit("%v"), jen.Id(k.Reason)),
			),
		).Call()
		body.Return(key(body, k), jen.Nil())
	})
	e.file.Line()
}
