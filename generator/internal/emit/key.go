package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// key is a key as one expression, after the statements that it needs.
func (p place) key(r *model.Rule) *jen.Statement {
	switch {
	case r.Key == nil:
		return jen.Lit("")
	case !model.Appended(r.Key):
		return p.value(r.Key)
	}
	p.Var().Id(r.Buffer).Index(jen.Lit(bufferSize(r.Key.Pieces))).Byte()
	r.Key.Append(p.Group, p.frame(), r.Bytes, jen.Id(r.Buffer).Index(jen.Op(":").Lit(0)))
	p.take()
	return jen.String().Call(jen.Id(r.Bytes))
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
