package keyexpr

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// class is what operators tell types apart by.
type class int

const (
	other class = iota
	integers
	floats
	texts
	bools
	durations
	times
	null
	dynamic // only a run can tell
	lists
	dicts
	structs
	functions
)

func classOf(t types.Type) class {
	switch {
	case isNil(t):
		return null
	case isDynamic(t):
		return dynamic
	case isPackageType(t, "time", "Duration"):
		return durations
	case isPackageType(t, "time", "Time"):
		return times
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicClass(u)
	case *types.Slice, *types.Array:
		return lists
	case *types.Map:
		return dicts
	case *types.Struct:
		return structs
	case *types.Signature:
		return functions
	}
	return other
}

func basicClass(t *types.Basic) class {
	switch info := t.Info(); {
	case info&types.IsInteger != 0:
		return integers
	case info&types.IsFloat != 0:
		return floats
	case info&types.IsString != 0:
		return texts
	case info&types.IsBoolean != 0:
		return bools
	}
	return other
}

func isPackageType(t types.Type, pkg, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg
}

func (v *value) class() class { return classOf(v.typ) }

// isString reports whether "+" with v joins texts.
func isString(v *value) bool { return v.class() == texts }

func isNumber(v *value) bool { return v.class() == integers || v.class() == floats }

// inProgram reports whether an operator with one of these operands is for a
// program: one of them has no code, or a type that only a run can tell.
func inProgram(values ...*value) bool {
	for _, v := range values {
		if !v.native() || v.class() == dynamic {
			return true
		}
	}
	return false
}

// operand returns v as operators take it: pointers are followed, values of
// type parameters are what all their types are.
func (c *compiler) operand(node ast.Node, v *value) *value {
	switch {
	case v == nil:
		return nil
	case typeParam(v.typ) != nil:
		return c.plainParam(node, v)
	}
	return c.pointee(node, v)
}

// operands evaluates the operands of a binary operator. With false it
// reported a problem.
func (c *compiler) binaryOperands(n *ast.BinaryNode) (l, r *value, ok bool) {
	l = c.asInteger(c.operand(n.Left, c.eval(n.Left)))
	r = c.asInteger(c.operand(n.Right, c.eval(n.Right)))
	return l, r, l != nil && r != nil
}

// converted returns v as a value of a predeclared type.
func (c *compiler) converted(node ast.Node, v *value, to types.BasicKind) *value {
	t := types.Typ[to]
	if types.Identical(v.typ, t) || v.val != nil && isUntyped(v.typ) && fits(v.val, t) && sameClass(v.typ, t) {
		return v
	}
	if !c.predeclared(node, t.Name()) {
		return nil
	}
	if v.val != nil && v.class() == integers && t.Info()&types.IsInteger != 0 && !fits(v.val, t) {
		return c.failf(node, "%s overflows %s %s", source(node), article(t.Name()), t.Name())
	}
	inner := v
	w := derive(t, inner)
	w.val, w.simple, w.hint, w.literal = v.val, v.simple, v.hint, false
	w.code = func(b *block) *jen.Statement { return jen.Id(t.Name()).Call(inner.code(b)) }
	return w
}

func article(name string) string {
	if strings.HasPrefix(name, "int") {
		return "an"
	}
	return "a"
}

func sameClass(a, b types.Type) bool {
	x, y := classOf(a), classOf(b)
	return x == y || x == integers && y == floats
}

func (c *compiler) asInt(node ast.Node, v *value) *value {
	return c.converted(node, v, types.Int)
}

func (c *compiler) asFloat(node ast.Node, v *value) *value {
	return c.converted(node, v, types.Float64)
}

func (c *compiler) asString(node ast.Node, v *value) *value {
	return c.converted(node, v, types.String)
}

func (c *compiler) asBool(node ast.Node, v *value) *value {
	return c.converted(node, v, types.Bool)
}

// pair converts both operands, or reports why one cannot be.
func pair(n *ast.BinaryNode, l, r *value, convert func(ast.Node, *value) *value) (*value, *value, bool) {
	l, r = convert(n.Left, l), convert(n.Right, r)
	return l, r, l != nil && r != nil
}

// strictPair is both operands where nil is an error.
func (c *compiler) strictPair(n *ast.BinaryNode, l, r *value) (*value, *value) {
	return c.strict(n.Left, l), c.strict(n.Right, r)
}

// infix returns the value of an operator of Go's.
func infix(t types.Type, op string, p precedence, l, r *value) *value {
	v := derive(t, l, r)
	v.prec, v.simple = p, l.simple && r.simple && v.size < 8
	v.code = func(b *block) *jen.Statement {
		o := b.operands(l, r)
		right := p - 1
		if op == "&&" || op == "||" {
			right = p
		}
		return o[0].at(p).Op(op).Add(o[1].at(right))
	}
	return v
}

// invoked returns the value of a call.
func invoked(t types.Type, callee func() *jen.Statement, args ...*value) *value {
	v := derive(t, args...)
	v.code = func(b *block) *jen.Statement { return callee().Call(statements(b.operands(args...))...) }
	return v
}

func statements(operands []operand) []jen.Code {
	all := make([]jen.Code, len(operands))
	for i, o := range operands {
		all[i] = o.Statement
	}
	return all
}

// integerConst returns the value of a constant integer.
func integerConst(v *value) (int64, bool) {
	if v.val == nil || v.class() != integers {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v.val))
}
