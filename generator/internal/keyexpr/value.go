package keyexpr

import (
	"go/constant"
	"go/types"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// value is what a part of an expression evaluates to.
type value struct {
	typ  types.Type            // Go's type of the code; an untyped one for constants
	val  constant.Value        // of a constant
	code func() *jen.Statement // nil where there is no code for it, as for a constant's literal

	// base is the code that a field or method is selected from, where it
	// differs from code.
	base func() *jen.Statement

	addressable bool
	pieces      []Piece        // of a string that "+" made
	pkg         *types.Package // of an import's name, which is no value
	ref         string         // the bare identifier of a constant, if its code is used
}

var stringType = types.Typ[types.String]

func literal(typ types.BasicKind, val constant.Value) *value {
	return &value{typ: types.Typ[typ], val: val, code: func() *jen.Statement { return litCode(val) }}
}

// litCode returns a constant as a literal.
func litCode(val constant.Value) *jen.Statement {
	switch val.Kind() {
	case constant.String:
		return jen.Lit(constant.StringVal(val))
	case constant.Bool:
		return jen.Lit(constant.BoolVal(val))
	case constant.Float:
		f, _ := constant.Float64Val(val)
		return jen.Lit(f)
	}
	return jen.Id(val.ExactString())
}

// codeOf returns the code of v for use in the result.
func (c *compiler) codeOf(v *value) func() *jen.Statement {
	if v.ref != "" {
		c.name(v.ref)
	}
	if v.pieces != nil {
		return func() *jen.Statement { return concat(v.pieces) }
	}
	return v.code
}

// baseOf is codeOf for what a field or method is selected from.
func (c *compiler) baseOf(v *value) func() *jen.Statement {
	if v.base != nil {
		return v.base
	}
	return c.codeOf(v)
}

func basic(t types.Type) *types.Basic {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

func is(t types.Type, info types.BasicInfo) bool {
	b := basic(t)
	return b != nil && b.Info()&info != 0
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

// typeName returns t as the user writes it.
func (c *compiler) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.scope.Pkg {
			return ""
		}
		return p.Name()
	})
}

// source returns a part of an expression for messages.
func source(node ast.Node) string {
	const most = 60
	s := node.String()
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
