package keyexpr

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

func (c *compiler) binary(n *ast.BinaryNode) *value {
	switch n.Operator {
	case "+", "-", "*", "/", "%", "**", "^":
		return c.arithmetic(n)
	case "==", "!=":
		return c.equality(n)
	case "<", "<=", ">", ">=":
		return c.ordering(n)
	case "and", "&&", "or", "||":
		return c.logic(n)
	case "in":
		return c.in(n)
	case "contains", "startsWith", "endsWith", "matches":
		return c.search(n)
	case "..":
		return c.rangeOf(n)
	case "??":
		return c.coalesce(n)
	}
	return c.notYet(n, n.Operator+" is")
}

// arithmetic is that of expr: integers of any type count as int, with a float
// both are floats, and "/" and "**" make floats.
func (c *compiler) arithmetic(n *ast.BinaryNode) *value {
	if n.Operator == "+" {
		if v, done := c.join(n); done {
			return v
		}
	}
	l, r, ok := c.binaryOperands(n)
	if !ok {
		return nil
	}
	t := c.arithmeticType(n.Operator, l.class(), r.class())
	switch {
	case t == nil:
		return c.mismatch(n)
	case inProgram(l, r):
		return c.infixProgram(n, t, l, r)
	}
	l, r = c.strictPair(n, l, r)
	if !isNumber(l) || !isNumber(r) {
		return c.timeArithmetic(n, t, l, r)
	}
	if c.dividesByZero(n, r) {
		return nil
	}
	if v, done := c.fold(n, l, r); done {
		return v
	}
	return c.numbers(n, t, l, r)
}

// arithmeticType returns the type of an operator's result, nil where it has
// none.
func (c *compiler) arithmeticType(op string, l, r class) types.Type {
	number := func(k class) bool { return k == integers || k == floats }
	numbers := number(l) && number(r)
	switch {
	case l == dynamic || r == dynamic:
		return dynamicResult(op, l, r)
	case op == "%":
		if l == integers && r == integers {
			return intType
		}
	case numbers && (op == "/" || op == "**" || op == "^" || l == floats || r == floats):
		return floatType
	case numbers:
		return intType
	case op == "*" && (l == durations && (r == durations || r == integers) || l == integers && r == durations):
		return c.timeType("Duration")
	case op == "+" || op == "-":
		return c.timeSum(op, l, r)
	}
	return nil
}

func dynamicResult(op string, l, r class) types.Type {
	for _, k := range []class{l, r} {
		if k != dynamic && k != integers && k != floats && k != durations && k != times && k != texts {
			return nil
		}
	}
	switch op {
	case "%":
		return intType
	case "/", "**", "^":
		return floatType
	}
	return anyType
}

func (c *compiler) mismatch(n *ast.BinaryNode) *value {
	return c.failAt(n, "the operator %s has no meaning between %s and %s",
		n.Operator, c.describe(n.Left, c.seen[n.Left]), c.describe(n.Right, c.seen[n.Right]))
}

func (c *compiler) dividesByZero(n *ast.BinaryNode, r *value) bool {
	if (n.Operator != "/" && n.Operator != "%") || r.val == nil || constant.Sign(r.val) != 0 {
		return false
	}
	c.failAt(n, "%s divides by zero", source(n))
	return true
}

// numbers is an operator between numbers of which one at least varies.
func (c *compiler) numbers(n *ast.BinaryNode, t types.Type, l, r *value) *value {
	convert := c.asInt
	if t == floatType {
		convert = c.asFloat
	}
	l, r, ok := pair(n, l, r, convert)
	if ok && t == floatType {
		l, ok = c.typedFloat(n.Left, l, r)
	}
	if !ok {
		return nil
	}
	switch n.Operator {
	case "**", "^":
		return invoked(t, c.std("math", "Pow"), l, r)
	case "*", "/", "%":
		v := infix(t, n.Operator, product, l, r)
		v.fails = v.fails || n.Operator == "%" && r.val == nil
		return v
	}
	return infix(t, n.Operator, sum, c.rounded(n.Left, l), c.rounded(n.Right, r))
}

// typedFloat keeps Go from computing with two constants more exactly than with
// two floats.
func (c *compiler) typedFloat(node ast.Node, l, r *value) (*value, bool) {
	if l.val == nil || r.val == nil || !isUntyped(l.typ) {
		return l, true
	}
	typed := derive(floatType, l)
	typed.val, typed.simple = l.val, true
	typed.code = func(b *block) *jen.Statement { return jen.Id("float64").Call(l.code(b)) }
	return typed, c.predeclared(node, "float64")
}

// rounded keeps a product of floats from being fused with the sum that it is
// part of, which some processors do in one step with one rounding.
func (c *compiler) rounded(node ast.Node, v *value) *value {
	if v.class() != floats || v.prec != product {
		return v
	}
	w := *v
	w.prec = primary
	w.code = func(b *block) *jen.Statement { return jen.Id("float64").Call(v.code(b)) }
	if !c.predeclared(node, "float64") {
		return v
	}
	return &w
}

var foldable = map[string]token.Token{"+": token.ADD, "-": token.SUB, "*": token.MUL, "%": token.REM}

// fold evaluates an operator between constants. Where one of two integers has
// a name the code keeps it; floats would be computed more exactly in Go.
func (c *compiler) fold(n *ast.BinaryNode, l, r *value) (v *value, done bool) {
	if l.val == nil || r.val == nil {
		return nil, false
	}
	if l.class() == floats || r.class() == floats || foldable[n.Operator] == token.ILLEGAL {
		return c.foldFloats(n, l, r), true
	}
	val := constant.BinaryOp(constant.ToInt(l.val), foldable[n.Operator], constant.ToInt(r.val))
	if _, exact := constant.Int64Val(val); !exact {
		return c.failAt(n, "%s overflows an int64", source(n)), true
	}
	if l.literal && r.literal {
		return literal(types.UntypedInt, val), true
	}
	if v = c.numbers(n, intType, l, r); v != nil {
		v.val = val
		if isUntyped(l.typ) && isUntyped(r.typ) {
			v.typ = types.Typ[types.UntypedInt]
		}
	}
	return v, true
}

func (c *compiler) foldFloats(n *ast.BinaryNode, l, r *value) *value {
	x, y := floatConst(l), floatConst(r)
	f := map[string]float64{"+": x + y, "-": x - y, "*": x * y, "/": x / y, "**": math.Pow(x, y), "^": math.Pow(x, y)}[n.Operator]
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return c.failAt(n, "%s is no number", source(n))
	}
	if f == 0 && math.Signbit(f) {
		f = 0
	}
	return literal(types.UntypedFloat, constant.MakeFloat64(f))
}

func floatConst(v *value) float64 {
	f, _ := constant.Float64Val(constant.ToFloat(v.val))
	return f
}

// unary is a sign or "not".
func (c *compiler) unary(n *ast.UnaryNode) *value {
	v := c.operand(n.Node, c.eval(n.Node))
	switch {
	case v == nil:
		return nil
	case n.Operator == "not" || n.Operator == "!":
		return c.not(n, v)
	case !isNumber(v) && v.class() != dynamic:
		return c.failf(n, "the sign %s stands before a number, not %s", n.Operator, c.describe(n.Node, v))
	case inProgram(v):
		return c.prefixProgram(n.Operator, v.typ, v)
	}
	v = c.strict(n.Node, v)
	if n.Operator == "+" {
		return v
	}
	return c.negated(n, v)
}

func (c *compiler) negated(n *ast.UnaryNode, v *value) *value {
	if v.literal {
		return c.negatedLiteral(n, v)
	}
	kind := basic(v.typ).Kind()
	if isUntyped(v.typ) {
		kind = types.Default(v.typ).(*types.Basic).Kind()
	}
	if v.val != nil && !fits(constant.UnaryOp(token.SUB, v.val, 0), types.Typ[kind]) {
		return c.failf(n, "%s overflows %s", source(n), types.Typ[kind].Name())
	}
	number := c.converted(n, v, kind)
	if number == nil {
		return nil
	}
	w := derive(number.typ, number)
	w.prec, w.simple, w.hint = unary, number.simple, number.hint
	if number.val != nil {
		w.val = constant.UnaryOp(token.SUB, number.val, 0)
	}
	w.code = func(b *block) *jen.Statement { return jen.Op("-").Add(number.at(primary)(b)) }
	return w
}

func (c *compiler) negatedLiteral(n *ast.UnaryNode, v *value) *value {
	val := constant.UnaryOp(token.SUB, v.val, 0)
	if v.class() == floats {
		return literal(types.UntypedFloat, val)
	}
	if _, exact := constant.Int64Val(val); !exact {
		return c.failf(n, "%s overflows an int64", source(n))
	}
	return literal(types.UntypedInt, val)
}
