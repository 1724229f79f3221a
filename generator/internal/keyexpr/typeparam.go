package keyexpr

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// terms returns the types of which a type parameter is one, none where it may
// be any.
func terms(t types.Type) []*types.Term {
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		return []*types.Term{types.NewTerm(false, t)}
	}
	for embedded := range i.EmbeddedTypes() {
		union, ok := types.Unalias(embedded).(*types.Union)
		if !ok {
			if found := terms(embedded); found != nil {
				return found
			}
			continue
		}
		var all []*types.Term
		for term := range union.Terms() {
			found := terms(term.Type())
			if found == nil {
				return nil
			}
			for _, f := range found {
				all = append(all, types.NewTerm(term.Tilde() || f.Tilde(), f.Type()))
			}
		}
		return all
	}
	return nil
}

// paramKind returns the predeclared type that all types of a parameter can be
// converted to without a loss, and whether they are integers with a sign and
// without one, for which there is none.
func paramKind(p *types.TypeParam) (t types.Type, mixed bool) {
	kinds := make(map[types.BasicKind]bool)
	for _, term := range terms(p.Constraint()) {
		kinds[wideKind(term.Type())] = true
	}
	if len(kinds) == 2 && kinds[types.Int64] && kinds[types.Uint64] {
		return intType, true
	}
	if len(kinds) != 1 || kinds[types.Invalid] {
		return nil, false
	}
	for k := range kinds {
		t = types.Typ[k]
	}
	return t, false
}

// wideKind is the widest predeclared type of t's kind.
func wideKind(t types.Type) types.BasicKind {
	switch {
	case is(t, types.IsString):
		return types.String
	case is(t, types.IsBoolean):
		return types.Bool
	case is(t, types.IsUnsigned):
		return types.Uint64
	case is(t, types.IsInteger):
		return types.Int64
	case is(t, types.IsFloat):
		return types.Float64
	}
	return types.Invalid
}

// plainParam returns a value of a type parameter as one of a predeclared type.
func (c *compiler) plainParam(node ast.Node, v *value) *value {
	t, _ := paramKind(typeParam(v.typ))
	if t == nil {
		return c.severalKinds(node, v)
	}
	return c.converted(node, v, t.(*types.Basic).Kind())
}

func (c *compiler) severalKinds(node ast.Node, v *value) *value {
	return c.failf(node, "%s may be of several kinds: pass it to a function that knows them", c.describe(node, v))
}

// textTerms reports whether all types of v's type parameter have a text.
func textTerms(v *value) bool {
	all := terms(typeParam(v.typ).Constraint())
	return len(all) > 0 && !slices.ContainsFunc(all, func(term *types.Term) bool {
		k := wideKind(term.Type())
		return k == types.Invalid || k == types.Float64
	})
}

// paramPiece is the text of a value of a type parameter.
func (c *compiler) paramPiece(node ast.Node, v *value) []Piece {
	t, mixed := paramKind(typeParam(v.typ))
	switch {
	case mixed:
		return c.signPiece(node, v)
	case t != nil && !types.Identical(t, floatType):
		return c.convertedPiece(node, c.plainParam(node, v))
	case c.exactTerms(v):
		return []Piece{c.piece(node, String, v, invoked(stringType, c.std("fmt", "Sprint"), v).code)}
	case textTerms(v):
		c.severalKinds(node, v)
		return nil
	}
	c.failf(node, "%s", c.advice(node, v))
	return nil
}

// exactTerms reports whether all types of v's type parameter are predeclared
// ones that have a text, of which no other type is made.
func (c *compiler) exactTerms(v *value) bool {
	all := terms(typeParam(v.typ).Constraint())
	for _, term := range all {
		k := wideKind(term.Type())
		if term.Tilde() || isNamed(term.Type()) || k == types.Invalid || k == types.Float64 {
			return false
		}
	}
	return len(all) > 0
}

// signPiece is the text of an integer that may have a sign or be too large for
// one.
func (c *compiler) signPiece(node ast.Node, v *value) []Piece {
	negative := derive(boolType, v)
	negative.code = func(b *block) *jen.Statement { return v.code(b).Op("<").Lit(0) }
	whole := &branch{whole: negative}
	whole.cases = []branchCase{{cond: negative, part: part{node, c.converted(node, v, types.Int64)}}}
	whole.last = part{node, c.converted(node, v, types.Uint64)}
	w := derive(stringType, v)
	w.branch = whole
	if whole.cases[0].value == nil || whole.last.value == nil {
		return nil
	}
	return c.choicePiece(node, w)
}
