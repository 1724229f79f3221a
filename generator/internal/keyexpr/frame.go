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
	b := e.in(g, f)
	if choice := e.value.chooses; choice != nil {
		choice.returns(b, func(in *block, i int) { in.Add(give(e.value.chosen[i].code(in))) })
		return
	}
	if len(e.Pieces) == 1 && e.Pieces[0].choice != nil {
		choice := e.Pieces[0].choice
		choice.branch.returns(b, func(in *block, i int) { in.Add(give(concat(in, choice.cases[i]))) })
		return
	}
	b.Add(give(e.value.code(b)))
}

// Append writes a key piece by piece: the statements declare a []byte called
// name that holds start, such as buf[:0], and the key behind it.
func (e *Expr) Append(g *jen.Group, f Frame, name string, start *jen.Statement) {
	f.Taken = append([]string{name}, f.Taken...)
	appendTo(e.in(g, f), e.Pieces, start, name, false)
}
