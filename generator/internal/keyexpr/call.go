package keyexpr

import (
	"fmt"
	"go/types"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// call returns the result of a function or method.
func (c *compiler) call(n *ast.CallNode) *value {
	if id, ok := n.Callee.(*ast.IdentifierNode); ok && !c.scope.has(id.Value) && isOurs(id.Value) {
		return c.ours(n, id.Value)
	}
	callee := c.callee(n.Callee)
	if callee == nil {
		c.evalAll(n.Arguments)
		return nil
	}
	sig, ok := callee.typ.Underlying().(*types.Signature)
	switch {
	case isDynamic(callee.typ) && !callee.native():
		return c.callProgram(n, callee, nil)
	case !ok:
		return c.failf(n.Callee, "%s is no function", c.describe(n.Callee, callee))
	case sig.TypeParams().Len() > 0:
		if sig = c.instantiate(n, callee); sig == nil {
			return nil
		}
	}
	args, ok := c.arguments(n, sig)
	if !ok || !c.oneResult(n, sig) {
		return nil
	}
	if !callee.native() || anyProgram(args) {
		return c.typed(n, c.callProgram(n, callee, sig))
	}
	return c.typed(n, c.called(n, callee, sig, args))
}

func anyProgram(values []*value) bool {
	for _, v := range values {
		if !v.native() {
			return true
		}
	}
	return false
}

// called is a call in plain Go.
func (c *compiler) called(n *ast.CallNode, callee *value, sig *types.Signature, args []*value) *value {
	function := callee.bare()
	v := derive(sig.Results().At(0).Type(), append([]*value{function}, args...)...)
	v.sparse = false // what a function of Go returns is Go's
	v.fails, v.hint = true, hintOf(n)
	v.code = func(b *block) *jen.Statement {
		o := b.operands(append([]*value{function}, args...)...)
		return o[0].at(primary).Call(statements(o[1:])...)
	}
	if sig.Results().Len() == 2 {
		v = c.attempted(v, v.hint)
	}
	return v.guarded(callee.guards)
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

// arguments checks the arguments of a call and returns them as its parameters
// take them.
func (c *compiler) arguments(n *ast.CallNode, sig *types.Signature) (args []*value, ok bool) {
	if !c.countArguments(n, sig) {
		c.evalAll(n.Arguments)
		return nil, false
	}
	ok = true
	for i, node := range n.Arguments {
		arg := c.eval(node)
		if arg != nil {
			arg = c.argument(n, i, arg, parameter(sig, i))
		}
		if arg == nil {
			ok = false
			continue
		}
		args = append(args, arg)
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

// argument returns an argument as a parameter takes it, or nil when it
// reported that it cannot be passed. For nil a parameter gets its zero value.
func (c *compiler) argument(n *ast.CallNode, i int, arg *value, to types.Type) *value {
	node := n.Arguments[i]
	if arg.list != nil && arg.native() && c.listFor(node, arg, to) != nil {
		return c.listFor(node, arg, to)
	}
	if c.assignable(arg, to) && (len(arg.guards) == 0 || c.writable(to)) {
		return c.orZero(arg, to)
	}
	if target := c.pointee(node, arg); arg.native() && c.assignable(target, to) && c.writable(to) {
		return c.orZero(target, to)
	}
	if arg.boxed && types.AssignableTo(arg.typ, to) {
		return c.failf(node, "%s cannot be passed to a function: write one that makes the list", source(node))
	}
	return c.failf(node, "%s takes %s here, not %s%s", source(n.Callee), c.typeName(to), c.describe(node, arg), whole(node, arg, to))
}

func whole(node ast.Node, arg *value, to types.Type) string {
	if isUntyped(arg.typ) || !is(arg.typ, types.IsFloat) || !types.Identical(to, intType) {
		return ""
	}
	return fmt.Sprintf(": write int(%s)", source(node))
}

func (c *compiler) assignable(arg *value, to types.Type) bool {
	if arg.val != nil && isUntyped(arg.typ) {
		return representable(arg, to)
	}
	return !arg.boxed && types.AssignableTo(arg.typ, to)
}

// orZero is a value, or the zero value of a type where that is nil.
func (c *compiler) orZero(v *value, t types.Type) *value {
	if v == nil || len(v.guards) == 0 {
		return v
	}
	guards, inner := v.guards, v.bare()
	w := derive(t, v)
	w.steps, w.hint = true, v.hint
	w.code = func(b *block) *jen.Statement {
		name := b.local(v.hint)
		b.Var().Id(name).Add(typeCode(t))
		open(b, guards, func(in *block) { in.set(name, inner.code(in)) })
		return jen.Id(name)
	}
	return w
}

// oneResult reports a function whose results are not one value, which may be
// followed by an error.
func (c *compiler) oneResult(n *ast.CallNode, sig *types.Signature) bool {
	switch results := sig.Results(); {
	case results.Len() == 1:
		return true
	case results.Len() == 0:
		c.failf(n, "%s returns nothing", source(n.Callee))
	case results.Len() == 2 && types.Identical(results.At(1).Type(), errorType):
		return true
	default:
		c.failf(n, "%s returns %d values, and an expression has one", source(n.Callee), results.Len())
	}
	return false
}
