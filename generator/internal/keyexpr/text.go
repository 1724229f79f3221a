package keyexpr

import (
	"go/constant"
	"go/types"
	"strconv"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

func nilCode() *jen.Statement { return jen.Nil() }

// isString reports whether "+" with v joins texts.
func isString(v *value) bool { return is(v.typ, types.IsString) }

// join returns the texts of both sides as one string.
func (c *compiler) join(n *ast.BinaryNode, left, right *value) *value {
	l, r := c.textOf(n.Left, left), c.textOf(n.Right, right)
	if l == nil || r == nil {
		return nil
	}
	pieces := merge(l, r)
	if len(pieces) == 1 && pieces[0].Kind == Literal {
		return literal(types.UntypedString, constant.MakeString(pieces[0].Text))
	}
	return &value{typ: stringType, pieces: pieces}
}

// merge puts the pieces of a before those of b, with literals joined that
// meet and empty ones left out.
func merge(a, b []Piece) []Piece {
	var all []Piece
	for _, list := range [][]Piece{a, b} {
		for _, p := range list {
			last := len(all) - 1
			switch {
			case p.Kind == Literal && p.Text == "":
			case p.Kind == Literal && last >= 0 && all[last].Kind == Literal:
				all[last].Text += p.Text
			default:
				all = append(all, p)
			}
		}
	}
	if all == nil {
		return []Piece{{Kind: Literal}}
	}
	return all
}

// textOf returns the text of v, or nil when it reported that v has none.
func (c *compiler) textOf(node ast.Node, v *value) []Piece {
	if v.pieces != nil {
		return v.pieces
	}
	stringer, hidden := c.stringer(v)
	switch {
	case c.hasNoText(v.typ):
		c.failf(node, "%s", c.advice(node, v))
		return nil
	case hidden:
		c.failf(node, "the String method of %s has a pointer receiver, and %s has no address", c.typeName(v.typ), source(node))
		return nil
	case stringer:
		return c.stringerPiece(v)
	case v.val != nil && is(v.typ, types.IsString|types.IsInteger|types.IsBoolean):
		return c.constantPiece(node, v)
	}
	return c.convertedPiece(node, v)
}

func (c *compiler) stringerPiece(v *value) []Piece {
	c.canFail = true
	base := c.baseOf(v)
	return []Piece{{Kind: String, code: func() *jen.Statement { return base().Dot("String").Call() }}}
}

func (c *compiler) constantPiece(node ast.Node, v *value) []Piece {
	switch v.val.Kind() {
	case constant.String:
		return []Piece{{Kind: Literal, Text: constant.StringVal(v.val)}}
	case constant.Bool:
		return []Piece{{Kind: Literal, Text: strconv.FormatBool(constant.BoolVal(v.val))}}
	}
	val := constant.ToInt(v.val)
	_, signed := constant.Int64Val(val)
	_, unsigned := constant.Uint64Val(val)
	if !signed && !(unsigned && is(v.typ, types.IsUnsigned)) {
		c.failf(node, "%s overflows an int64", source(node))
		return nil
	}
	return []Piece{{Kind: Literal, Text: val.ExactString()}}
}

// convertedPiece returns the text of a variable value that is based on a
// string, integer or bool.
func (c *compiler) convertedPiece(node ast.Node, v *value) []Piece {
	switch {
	case is(v.typ, types.IsString):
		return c.convert(node, v, String, types.String)
	case is(v.typ, types.IsBoolean):
		return c.convert(node, v, Bool, types.Bool)
	case is(v.typ, types.IsUnsigned):
		return c.convert(node, v, Uint, types.Uint64)
	case is(v.typ, types.IsInteger):
		return c.convert(node, v, Int, types.Int64)
	}
	c.failf(node, "%s", c.advice(node, v))
	return nil
}

func (c *compiler) convert(node ast.Node, v *value, kind PieceKind, to types.BasicKind) []Piece {
	code := c.codeOf(v)
	target := types.Typ[to]
	if types.Identical(v.typ, target) {
		return []Piece{{Kind: kind, code: code}}
	}
	if c.scope.Pkg.Scope().Lookup(target.Name()) != nil {
		c.failf(node, "%s must be converted to %s, which the package hides by its own %s", source(node), target.Name(), target.Name())
		return nil
	}
	c.name(target.Name())
	return []Piece{{Kind: kind, code: func() *jen.Statement { return jen.Id(target.Name()).Call(code()) }}}
}

// concat returns the pieces as one expression of type string.
func concat(pieces []Piece) *jen.Statement {
	all := jen.Null()
	for i, p := range pieces {
		if i > 0 {
			all.Op("+")
		}
		all.Add(stringCode(p))
	}
	return all
}

func stringCode(p Piece) *jen.Statement {
	switch p.Kind {
	case Int:
		return jen.Qual("strconv", "FormatInt").Call(p.code(), jen.Lit(10))
	case Uint:
		return jen.Qual("strconv", "FormatUint").Call(p.code(), jen.Lit(10))
	case Bool:
		return jen.Qual("strconv", "FormatBool").Call(p.code())
	}
	return p.Code()
}
