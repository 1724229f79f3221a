package keyexpr

import (
	"go/types"

	"github.com/dave/jennifer/jen"
)

// PieceKind is the type of a piece's code.
type PieceKind int

const (
	Literal PieceKind = iota // a constant string, which is Text
	String                   // string
	Int                      // int64
	Uint                     // uint64
	Bool                     // bool
)

// Piece is one part of a key.
type Piece struct {
	Kind PieceKind
	Text string // of a Literal

	// Part says that a String is escaped, as a part of a list. Its Code is the
	// escaped text.
	Part bool

	traits
	expr   *Expr
	code   code
	prec   precedence
	simple bool
	hint   string
	choice *pieceChoice

	source string // the part of the source that has the text
	off    int    // where that starts
}

// pieceChoice is a piece that is one of several lists of pieces.
type pieceChoice struct {
	branch *branch
	cases  [][]Piece // of the branch's cases, then of its last resort
}

// Code returns a new statement of exactly the type that Kind says, converted
// where needed; for a Literal, the string literal.
func (p Piece) Code() *jen.Statement {
	if p.Kind == Literal {
		return jen.Lit(p.Text)
	}
	return p.expr.inline(p.Kind.typ(), p.steps, p.escaped())
}

func (k PieceKind) typ() types.Type {
	switch k {
	case Int:
		return types.Typ[types.Int64]
	case Uint:
		return types.Typ[types.Uint64]
	case Bool:
		return boolType
	}
	return stringType
}

func (p Piece) escaped() code {
	if !p.Part {
		return p.code
	}
	return func(b *block) *jen.Statement { return jen.Qual(runtimePath, "Part").Call(p.code(b)) }
}

// text is the code of a piece as a string.
func (p Piece) text() code {
	format := map[PieceKind]string{Int: "FormatInt", Uint: "FormatUint", Bool: "FormatBool"}[p.Kind]
	switch {
	case p.Kind == Literal:
		return func(*block) *jen.Statement { return jen.Lit(p.Text) }
	case p.Kind == Bool:
		return func(b *block) *jen.Statement { return jen.Qual("strconv", format).Call(p.code(b)) }
	case format != "":
		return func(b *block) *jen.Statement { return jen.Qual("strconv", format).Call(p.code(b), jen.Lit(10)) }
	}
	return p.escaped()
}

// concat returns the pieces as one expression of type string.
func concat(b *block, pieces []Piece) *jen.Statement {
	parts := make([]*value, len(pieces))
	for i, p := range pieces {
		parts[i] = &value{code: p.text(), prec: p.textPrec(), simple: p.Kind == Literal || p.simple, hint: p.hint, traits: p.traits}
	}
	all := jen.Null()
	for i, o := range b.operands(parts...) {
		if i > 0 {
			all.Op("+")
		}
		all.Add(o.at(product))
	}
	return all
}

func (p Piece) textPrec() precedence {
	if p.Kind == String && !p.Part {
		return p.prec
	}
	return primary
}

// appendTo writes the statements that append the pieces to a []byte: to, at
// first, and then the variable name, which they declare. Where nothing is
// appended yet, to is returned to be appended to.
func appendTo(b *block, pieces []Piece, to *jen.Statement, name string, declared bool) {
	assign := func(value *jen.Statement) {
		op := "="
		if !declared {
			op, declared = ":=", true
		}
		b.Id(name).Op(op).Add(value)
		to = jen.Id(name)
	}
	for i, p := range pieces {
		switch {
		case p.choice != nil:
			if !declared {
				assign(to)
			}
			p.choice.append(b, name)
			to = jen.Id(name)
		case p.Kind == Literal && i+1 < len(pieces) && !pieces[i+1].steps && pieces[i+1].choice == nil:
			to = appended(b, to, p)
		default:
			assign(appended(b, to, p))
		}
	}
}

// appended is a call that appends the text of p.
func appended(b *block, to *jen.Statement, p Piece) *jen.Statement {
	switch {
	case p.Kind == Literal:
		return jen.Append(to, jen.Lit(p.Text).Op("..."))
	case p.Kind == Int:
		return jen.Qual("strconv", "AppendInt").Call(to, p.code(b), jen.Lit(10))
	case p.Kind == Uint:
		return jen.Qual("strconv", "AppendUint").Call(to, p.code(b), jen.Lit(10))
	case p.Kind == Bool:
		return jen.Qual("strconv", "AppendBool").Call(to, p.code(b))
	case p.Part:
		return jen.Qual(runtimePath, "AppendPart").Call(to, p.code(b))
	}
	return jen.Append(to, p.code(b).Op("..."))
}

func (p *pieceChoice) append(b *block, name string) {
	last := p.cases[len(p.cases)-1]
	p.branch.write(b, !nothing(last), func(b *block, i int) {
		if !nothing(p.cases[i]) {
			appendTo(b, p.cases[i], jen.Id(name), name, true)
		}
	})
}

func nothing(pieces []Piece) bool {
	return len(pieces) == 1 && pieces[0].Kind == Literal && pieces[0].Text == ""
}
