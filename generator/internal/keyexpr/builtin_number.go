package keyexpr

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// nativeLen counts the characters of a string, else elements.
func nativeLen(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := c.strict(n.Arguments[0], args[0])
	if array, ok := v.typ.Underlying().(*types.Array); ok && v.simple && !v.fails {
		return literal(types.UntypedInt, constant.MakeInt64(array.Len()))
	}
	if v.class() != texts {
		if !c.predeclared(n, "len") {
			return nil
		}
		w := invoked(intType, func() *jen.Statement { return jen.Id("len") }, v)
		w.simple = v.simple
		return w
	}
	if v.literal {
		return literal(types.UntypedInt, constant.MakeInt64(int64(utf8.RuneCountInString(constant.StringVal(v.val)))))
	}
	if v = c.asString(n.Arguments[0], v); v == nil {
		return nil
	}
	return invoked(intType, c.std("unicode/utf8", "RuneCountInString"), v)
}

// nativeInt cuts what is behind the point.
func nativeInt(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := c.strict(n.Arguments[0], args[0])
	switch {
	case v.class() == texts:
		if v = c.asString(n.Arguments[0], v); v == nil {
			return nil
		}
		return c.attempted(invoked(intType, c.std("strconv", "Atoi"), v), "number")
	case v.val != nil && v.class() == floats:
		return c.constantInt(n, v)
	case v.literal:
		return v
	}
	return c.asInt(n, v)
}

func (c *compiler) constantInt(n *ast.BuiltinNode, v *value) *value {
	f := math.Trunc(floatConst(v))
	if math.Abs(f) >= 1<<63 {
		return c.failf(n, "%s overflows an int64", source(n))
	}
	return literal(types.UntypedInt, constant.MakeInt64(int64(f)))
}

func nativeFloat(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := c.strict(n.Arguments[0], args[0])
	switch {
	case v.class() == texts:
		if v = c.asString(n.Arguments[0], v); v == nil {
			return nil
		}
		size := literal(types.UntypedInt, constant.MakeInt64(64))
		return c.attempted(invoked(floatType, c.std("strconv", "ParseFloat"), v, size), "number")
	case v.val != nil:
		return literal(types.UntypedFloat, constant.MakeFloat64(floatConst(v)))
	}
	return c.asFloat(n, v)
}

// nativeString is what package fmt makes of a value.
func nativeString(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := args[0]
	switch {
	case len(v.guards) > 0 || isNil(v.typ) || typeParam(v.typ) != nil || c.seen[n.Arguments[0]] != args[0]:
		return nil
	case v.val != nil && v.class() == texts && !isNamed(v.typ):
		return v
	case !isNamed(v.typ) && is(v.typ, types.IsString|types.IsInteger|types.IsBoolean):
		pieces := c.textOf(n.Arguments[0], v)
		if pieces == nil {
			return nil
		}
		return joined(pieces)
	}
	w := invoked(stringType, c.std("fmt", "Sprint"), v)
	w.fails = true
	return w
}

// nativeAbs keeps the type of its argument.
func nativeAbs(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := c.strict(n.Arguments[0], args[0])
	if v.val != nil {
		if constant.Sign(v.val) >= 0 {
			return v
		}
		return c.negated(&ast.UnaryNode{Operator: "-", Node: n}, v)
	}
	v = c.converted(n.Arguments[0], v, basic(v.typ).Kind())
	if v == nil || is(v.typ, types.IsUnsigned) {
		return v
	}
	w := derive(v.typ, v)
	w.steps, w.hint = true, "size"
	w.code = func(b *block) *jen.Statement {
		name := b.let(w.hint, v.code(b))
		b.If(jen.Id(name).Op("<").Lit(0)).Block(jen.Id(name).Op("=").Op("-").Id(name))
		return jen.Id(name)
	}
	return w
}

func rounding(name string) nativeFunc {
	return func(c *compiler, n *ast.BuiltinNode, args []*value) *value {
		v := c.strict(n.Arguments[0], args[0])
		integer := v.class() == integers
		if integer && v.val != nil {
			return literal(types.UntypedFloat, constant.MakeFloat64(floatConst(v)))
		}
		if v = c.asFloat(n.Arguments[0], v); v == nil || integer {
			return v
		}
		return invoked(floatType, c.std("math", name), v)
	}
}

// nativeExtreme is Go's min or max where that is expr's: for integers of one
// type that an int holds.
func nativeExtreme(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	var parts []part
	constants := 0
	for i, arg := range args {
		if arg.class() != integers || isWide(arg) || len(arg.guards) > 0 {
			return nil
		}
		parts = append(parts, part{n.Arguments[i], arg})
		if arg.val != nil {
			constants++
		}
	}
	if constants == len(args) {
		return extremeConstant(n.Name, args)
	}
	t, convert := c.common(parts)
	if t == nil || !c.predeclared(n, n.Name) {
		return nil
	}
	var all []*value
	for _, p := range parts {
		v := convert(p.node, p.value)
		if v == nil {
			return nil
		}
		all = append(all, v)
	}
	return invoked(t, func() *jen.Statement { return jen.Id(n.Name) }, all...)
}

// extremeConstant is the least or greatest of constants, which Go would take
// for one as well.
func extremeConstant(name string, args []*value) *value {
	best := args[0]
	for _, arg := range args[1:] {
		if less := constant.Compare(arg.val, token.LSS, best.val); less == (name == "min") && !constant.Compare(arg.val, token.EQL, best.val) {
			best = arg
		}
	}
	return best
}

func onBits(op string, p precedence) nativeFunc {
	return func(c *compiler, n *ast.BuiltinNode, args []*value) *value {
		args = c.strictArguments(n, args)
		l, r := c.asInt(n.Arguments[0], args[0]), c.asInt(n.Arguments[1], args[1])
		if l == nil || r == nil || l.val != nil && r.val != nil {
			return nil
		}
		if shift := op == "<<" || op == ">>"; shift && (l.val != nil || r.val != nil && !shiftable(r.val)) {
			return nil
		}
		v := infix(intType, op, p, l, r)
		v.fails = v.fails || (op == "<<" || op == ">>") && r.val == nil
		return v
	}
}

// shiftable reports whether every int can be shifted by n. By more, vet says,
// nobody shifts on purpose.
func shiftable(n constant.Value) bool {
	return constant.Sign(n) >= 0 && constant.Compare(n, token.LSS, constant.MakeInt64(32))
}

func nativeBitnot(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	v := c.asInt(n.Arguments[0], c.strict(n.Arguments[0], args[0]))
	if v == nil || v.val != nil {
		return nil
	}
	w := derive(intType, v)
	w.prec = unary
	w.code = func(b *block) *jen.Statement { return jen.Op("^").Add(v.at(primary)(b)) }
	return w
}
