package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// key is a key as one expression, after the statements that it needs.
func key(body *jen.Group, r *model.Rule) *jen.Statement {
	switch {
	case r.Key == nil:
		return jen.Lit("")
	case !model.Appended(r.Key):
		return r.Key.Code()
	}
	pieces := r.Key.Pieces
	body.Var().Id(r.Buffer).Index(jen.Lit(bufferSize(pieces))).Byte()
	built := jen.Id(r.Buffer).Index(jen.Op(":").Lit(0))
	assign := ":="
	for i, p := range pieces {
		built = appended(built, p)
		if followedByValue(pieces, i) {
			continue
		}
		body.Id(r.Bytes).Op(assign).Add(built)
		built, assign = jen.Id(r.Bytes), "="
	}
	return jen.String().Call(jen.Id(r.Bytes))
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

// number is the value of an expression as an int64.
func number(e *keyexpr.Expr) *jen.Statement { return converted(e, types.Int64) }

// boolean is the value of an expression as a bool.
func boolean(e *keyexpr.Expr) *jen.Statement { return converted(e, types.Bool) }

func converted(e *keyexpr.Expr, to types.BasicKind) *jen.Statement {
	t := types.Typ[to]
	if e.Const != nil || types.Identical(e.Type, t) {
		return e.Code()
	}
	return jen.Id(t.Name()).Call(e.Code())
}
