package keyexpr

import (
	"github.com/dave/jennifer/jen"
)

// Code returns a new statement with the whole expression as one Go expression
// of type Type; for a key, a concatenation of strings. It may need
// parentheses as an operand.
func (e *Expr) Code() *jen.Statement {
	return e.inline(e.Type, e.Steps, e.value.code)
}

// Value writes the statements that the expression needs to g, which is the
// body of a function or a block of one, and returns the expression.
func (e *Expr) Value(g *jen.Group, f Frame) *jen.Statement {
	return e.value.code(e.in(g, f))
}

// Return writes the expression as the end of a function: give makes the
// statement that leaves it with a value. A choice leaves in each of its
// branches.
func (e *Expr) Return(g *jen.Group, f Frame, give func(value *jen.Statement) jen.Code) {
	if b := e.in(g, f); len(e.Pieces) == 1 {
		e.Pieces[0].returns(b, give)
	} else {
		e.value.returns(b, give)
	}
}

// returns leaves the function with v, in each branch of a choice.
func (v *value) returns(b *block, give func(value *jen.Statement) jen.Code) {
	if v.chooses == nil {
		b.Add(give(v.code(b)))
		return
	}
	v.chooses.returns(b, func(in *block, i int) { v.chosen[i].returns(in, give) })
}

// returns leaves the function with the text of p.
func (p Piece) returns(b *block, give func(value *jen.Statement) jen.Code) {
	if p.choice == nil {
		b.Add(give(p.text()(b)))
		return
	}
	p.choice.branch.returns(b, func(in *block, i int) {
		if pieces := p.choice.cases[i]; len(pieces) == 1 {
			pieces[0].returns(in, give)
		} else {
			in.Add(give(concat(in, pieces)))
		}
	})
}

// Append writes a key piece by piece: the statements declare a []byte called
// name that holds start, such as buf[:0], and the key behind it.
func (e *Expr) Append(g *jen.Group, f Frame, name string, start *jen.Statement) {
	f.Taken = append([]string{name}, f.Taken...)
	appendTo(e.in(g, f), e.Pieces, start, name, false)
}
