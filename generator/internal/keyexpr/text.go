package keyexpr

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// join returns the texts of both sides of "+" as one string. It is not done
// where neither side is a string.
func (c *compiler) join(n *ast.BinaryNode) (v *value, done bool) {
	left, right := c.eval(n.Left), c.eval(n.Right)
	if left == nil || right == nil {
		return nil, true
	}
	if !c.isText(left) && !c.isText(right) {
		return nil, false
	}
	if !left.hasPieces() || !right.hasPieces() {
		return c.joinProgram(n, left, right), true
	}
	l, r := c.textOf(n.Left, left), c.textOf(n.Right, right)
	if l == nil || r == nil {
		return nil, true
	}
	return joined(merge(l, r)), true
}

// isText reports whether v is a string, or points to one.
func (c *compiler) isText(v *value) bool {
	if isNil(v.typ) {
		return false
	}
	if p := typeParam(v.typ); p != nil {
		t, _ := paramKind(p)
		return t != nil && is(t, types.IsString)
	}
	return is(deref(v.typ), types.IsString)
}

// hasPieces reports whether the text of v can be had outside of a program.
func (v *value) hasPieces() bool {
	if v.native() || v.branch == nil {
		return v.native()
	}
	return !slices.ContainsFunc(v.branch.parts(), func(p part) bool { return !p.value.hasPieces() })
}

func joined(pieces []Piece) *value {
	if len(pieces) == 1 && pieces[0].Kind == Literal {
		return literal(types.UntypedString, constant.MakeString(pieces[0].Text))
	}
	v := derive(stringType)
	v.pieces, v.hint = pieces, "text"
	v.code = func(b *block) *jen.Statement { return concat(b, pieces) }
	if len(pieces) > 1 {
		v.prec = sum
	} else {
		v.prec = pieces[0].textPrec()
	}
	for _, p := range pieces {
		v.add(p.traits)
	}
	return v
}

// merge puts the pieces of a before those of b, with literals joined that
// meet and empty ones left out.
func merge(a, b []Piece) []Piece {
	var all []Piece
	for _, p := range slices.Concat(a, b) {
		last := len(all) - 1
		switch {
		case p.Kind == Literal && p.Text == "":
		case p.Kind == Literal && last >= 0 && all[last].Kind == Literal:
			all[last].Text += p.Text
		default:
			all = append(all, p)
		}
	}
	if all == nil {
		return []Piece{{Kind: Literal}}
	}
	return all
}

// textOf returns the text of v, or nil when it reported that v has none.
func (c *compiler) textOf(node ast.Node, v *value) []Piece {
	switch {
	case v.pieces != nil:
		return v.pieces
	case v.branch != nil && v.hasPieces():
		return c.choicePiece(node, v)
	case !v.native():
		return c.programPiece(node, v)
	}
	stringer, hidden := c.stringer(v)
	switch {
	case hasNoText(v.typ):
		c.failf(node, "%s", c.advice(node, v))
		return nil
	case hidden:
		c.failf(node, "the String method of %s has a pointer receiver, and %s has no address", c.typeName(v.typ), source(node))
		return nil
	case stringer:
		return c.stringerPiece(node, c.strict(node, v))
	case typeParam(v.typ) != nil:
		return c.paramPiece(node, v)
	case v.val != nil && is(v.typ, types.IsString|types.IsInteger|types.IsBoolean):
		return c.constantPiece(node, v)
	}
	return c.convertedPiece(node, v)
}

// programPiece is the text of a value that only a program has.
func (c *compiler) programPiece(node ast.Node, v *value) []Piece {
	w := c.textProgram(node, v)
	if w == nil {
		return nil
	}
	if w = c.lowered(node, w); w == nil || !w.native() {
		return nil
	}
	return []Piece{c.piece(node, String, w, w.code)}
}

func (c *compiler) stringerPiece(node ast.Node, v *value) []Piece {
	base := v.baseOf()
	p := c.piece(node, String, v, func(b *block) *jen.Statement { return base(b).Dot("String").Call() })
	p.fails, p.simple, p.caller = true, false, false
	return []Piece{p}
}

func (c *compiler) piece(node ast.Node, kind PieceKind, v *value, code code) Piece {
	return Piece{Kind: kind, traits: v.traits, code: code, simple: v.simple, hint: v.hint, source: source(node), off: c.start(node)}
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

// convertedPiece returns the text of a variable value that is, or points to,
// one that is based on a string, integer or bool.
func (c *compiler) convertedPiece(node ast.Node, v *value) []Piece {
	to := c.strict(node, c.operand(node, v))
	if to == nil {
		return nil
	}
	switch {
	case hasNoText(to.typ):
	case is(to.typ, types.IsString):
		return c.convert(node, to, String, types.String)
	case is(to.typ, types.IsBoolean):
		return c.convert(node, to, Bool, types.Bool)
	case is(to.typ, types.IsUnsigned):
		return c.convert(node, to, Uint, types.Uint64)
	case is(to.typ, types.IsInteger):
		return c.convert(node, to, Int, types.Int64)
	}
	c.failf(node, "%s", c.advice(node, v))
	return nil
}

func (c *compiler) convert(node ast.Node, v *value, kind PieceKind, to types.BasicKind) []Piece {
	w := c.converted(node, v, to)
	if w == nil {
		return nil
	}
	p := c.piece(node, kind, w, w.code)
	p.prec, p.caller = w.prec, w.caller && kind == String
	return []Piece{p}
}

// choicePiece is the text of a value that is chosen: the texts of what it is
// chosen from.
func (c *compiler) choicePiece(node ast.Node, v *value) []Piece {
	choice := &pieceChoice{branch: v.branch}
	p := c.piece(node, String, v.branch.whole, nil)
	p.caller = false
	for _, part := range v.branch.parts() {
		pieces := c.textOf(part.node, part.value)
		if pieces == nil {
			return nil
		}
		choice.cases = append(choice.cases, pieces)
		for _, q := range pieces {
			p.add(q.traits)
		}
	}
	p.choice, p.steps, p.simple, p.code, p.hint = choice, true, false, choice.text, "text"
	return []Piece{p}
}

// text writes the choice to a string.
func (p *pieceChoice) text(b *block) *jen.Statement {
	name := b.local("text")
	b.Var().Id(name).String()
	p.branch.write(b, true, func(b *block, i int) { b.set(name, concat(b, p.cases[i])) })
	return jen.Id(name)
}
