package keyexpr

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// sizes are those of 64-bit machines.
var sizes = types.SizesFor("gc", "amd64")

// call returns the result of a function or method.
func (c *compiler) call(n *ast.CallNode) *value {
	callee := c.callee(n.Callee)
	if callee == nil {
		c.evalAll(n.Arguments)
		return nil
	}
	sig, ok := callee.typ.Underlying().(*types.Signature)
	if !ok {
		return c.failf(n.Callee, "%s is no function", c.describe(n.Callee, callee))
	}
	if sig.TypeParams().Len() > 0 {
		return c.notYet(n, "calling a generic function is")
	}
	args, ok := c.arguments(n, sig)
	if !ok || !c.oneResult(n, sig) {
		return nil
	}
	c.canFail = true
	code := c.codeOf(callee)
	return c.typed(n, &value{
		typ:  sig.Results().At(0).Type(),
		code: func() *jen.Statement { return code().CallFunc(func(g *jen.Group) { addAll(g, args) }) },
	})
}

func addAll(g *jen.Group, args []func() *jen.Statement) {
	for _, arg := range args {
		g.Add(arg())
	}
}

// callee returns the function of a call.
func (c *compiler) callee(node ast.Node) *value {
	id, ok := node.(*ast.IdentifierNode)
	switch {
	case !ok:
		return c.eval(node)
	case !c.scope.has(id.Value):
		return c.unknownFunc(id)
	}
	if _, isVar := c.scope.variable(id.Value); !isVar {
		if _, isType := c.scope.object(id.Value).(*types.TypeName); isType {
			return c.failf(id, "conversions such as %s() are not supported", id.Value)
		}
	}
	return c.eval(node)
}

// evalAll looks for problems only.
func (c *compiler) evalAll(nodes []ast.Node) {
	for _, n := range nodes {
		c.eval(n)
	}
}

// arguments checks the arguments of a call and returns their code.
func (c *compiler) arguments(n *ast.CallNode, sig *types.Signature) (args []func() *jen.Statement, ok bool) {
	if !c.countArguments(n, sig) {
		c.evalAll(n.Arguments)
		return nil, false
	}
	ok = true
	for i, node := range n.Arguments {
		arg := c.eval(node)
		if arg == nil || !c.assignable(n, i, arg, parameter(sig, i)) {
			ok = false
			continue
		}
		args = append(args, c.codeOf(arg))
	}
	return args, ok
}

func (c *compiler) countArguments(n *ast.CallNode, sig *types.Signature) bool {
	got, want := len(n.Arguments), sig.Params().Len()
	switch {
	case sig.Variadic() && got < want-1:
		c.failf(n, "%s takes at least %s, not %d", source(n.Callee), arguments(want-1), got)
	case !sig.Variadic() && got != want:
		c.failf(n, "%s takes %s, not %d", source(n.Callee), arguments(want), got)
	default:
		return true
	}
	return false
}

func arguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// parameter returns the type that the i-th argument of a call must have.
func parameter(sig *types.Signature, i int) types.Type {
	last := sig.Params().Len() - 1
	if !sig.Variadic() || i < last {
		return sig.Params().At(i).Type()
	}
	t := sig.Params().At(last).Type()
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// assignable reports an argument that cannot be passed.
func (c *compiler) assignable(n *ast.CallNode, i int, arg *value, to types.Type) bool {
	if arg.val != nil && isUntyped(arg.typ) {
		if representable(arg, to) {
			return true
		}
	} else if types.AssignableTo(arg.typ, to) {
		return true
	}
	node := n.Arguments[i]
	c.failf(node, "%s takes %s here, not %s", source(n.Callee), c.typeName(to), c.describe(node, arg))
	return false
}

// representable reports whether an untyped constant may stand where a value
// of type to is wanted.
func representable(arg *value, to types.Type) bool {
	if types.IsInterface(to) {
		_, param := types.Unalias(to).(*types.TypeParam)
		return !param && types.AssignableTo(types.Default(arg.typ), to) && fits(arg.val, types.Default(arg.typ))
	}
	return fits(arg.val, to)
}

func fits(val constant.Value, to types.Type) bool {
	switch {
	case is(to, types.IsString):
		return val.Kind() == constant.String
	case is(to, types.IsBoolean):
		return val.Kind() == constant.Bool
	case is(to, types.IsInteger):
		return fitsInteger(constant.ToInt(val), basic(to))
	case is(to, types.IsFloat|types.IsComplex):
		return fitsFloat(constant.ToFloat(val), basic(to))
	}
	return false
}

func fitsFloat(val constant.Value, to *types.Basic) bool {
	if val.Kind() != constant.Float {
		return false
	}
	f, _ := constant.Float64Val(val)
	if to.Kind() == types.Float32 || to.Kind() == types.Complex64 {
		f32, _ := constant.Float32Val(val)
		f = float64(f32)
	}
	return !math.IsInf(f, 0)
}

func fitsInteger(val constant.Value, to *types.Basic) bool {
	if val.Kind() != constant.Int {
		return false
	}
	bits := int(8 * sizes.Sizeof(to))
	if to.Info()&types.IsUnsigned != 0 {
		return constant.Sign(val) >= 0 && constant.BitLen(val) <= bits
	}
	if constant.Sign(val) < 0 {
		val = constant.BinaryOp(val, token.ADD, constant.MakeInt64(1))
	}
	return constant.BitLen(val) < bits
}

// oneResult reports a function whose results are no single value.
func (c *compiler) oneResult(n *ast.CallNode, sig *types.Signature) bool {
	switch results := sig.Results(); {
	case results.Len() == 1:
		return true
	case results.Len() == 0:
		c.failf(n, "%s returns nothing", source(n.Callee))
	case results.Len() == 2 && types.Identical(results.At(1).Type(), errorType):
		c.failf(n, "%s returns an error too, which is not supported yet", source(n.Callee))
	default:
		c.failf(n, "%s returns %d values, and an expression has one", source(n.Callee), results.Len())
	}
	return false
}
