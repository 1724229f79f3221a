package keyexpr

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser/lexer"
)

// compiler compiles one expression.
type compiler struct {
	scope *Scope
	src   string
	text  string

	offsets []int          // of the source's runes, in bytes
	tokens  []lexer.Token  // of the source
	renamed map[int]string // names that parsing replaced, by the offset of their first rune
	root    ast.Node

	canFail  bool
	vars     []string
	names    []string
	problems []Problem
}

func (c *compiler) problem(off int, format string, args ...any) {
	c.problems = append(c.problems, Problem{Off: off, Text: fmt.Sprintf(format, args...)})
}

// failf reports a problem with a node at the node's start.
func (c *compiler) failf(node ast.Node, format string, args ...any) *value {
	c.problem(c.start(node), format, args...)
	return nil
}

func (c *compiler) notYet(node ast.Node, what string) *value {
	return c.failf(node, "%s not supported yet", what)
}

func (c *compiler) name(name string) {
	if !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
}

func (c *compiler) compile(want Want) *Expr {
	v := c.eval(c.root)
	if v == nil {
		return nil
	}
	expr := &Expr{Text: c.text}
	switch want {
	case WantKey, WantString:
		c.finishText(expr, v, want)
	case WantInt:
		c.finishValue(expr, v, types.IsInteger, "an integer")
	case WantBool:
		c.finishValue(expr, v, types.IsBoolean, "true or false")
	}
	expr.CanFail, expr.Vars, expr.Names = c.canFail, c.vars, c.names
	return expr
}

func (c *compiler) finishText(expr *Expr, v *value, want Want) {
	if want == WantString && !isString(v) {
		c.failf(c.root, "this must be a string, not %s", c.describe(c.root, v))
		return
	}
	pieces := c.textOf(c.root, v)
	if pieces == nil {
		return
	}
	if len(pieces) == 1 && pieces[0].Kind == Literal {
		expr.Const = constant.MakeString(pieces[0].Text)
	}
	expr.Type, expr.Pieces = stringType, pieces
	expr.code = func() *jen.Statement { return concat(pieces) }
}

func (c *compiler) finishValue(expr *Expr, v *value, info types.BasicInfo, what string) {
	if !is(v.typ, info) {
		c.failf(c.root, "this must be %s, not %s", what, c.describe(c.root, v))
		return
	}
	expr.Type, expr.Const, expr.code = v.typ, v.val, c.codeOf(v)
}

// eval returns the value of a node, or nil when it reported a problem.
func (c *compiler) eval(node ast.Node) *value {
	switch n := node.(type) {
	case *ast.StringNode:
		return literal(types.UntypedString, constant.MakeString(n.Value))
	case *ast.IntegerNode:
		return literal(types.UntypedInt, constant.MakeInt64(int64(n.Value)))
	case *ast.FloatNode:
		return literal(types.UntypedFloat, constant.MakeFloat64(n.Value))
	case *ast.BoolNode:
		return literal(types.UntypedBool, constant.MakeBool(n.Value))
	case *ast.NilNode:
		return &value{typ: types.Typ[types.UntypedNil], code: nilCode}
	case *ast.IdentifierNode:
		return c.value(n, c.identifier(n))
	case *ast.MemberNode:
		return c.value(n, c.member(n))
	case *ast.CallNode:
		return c.call(n)
	case *ast.BinaryNode:
		if n.Operator == "+" {
			return c.add(n)
		}
		c.problem(c.offset(n.Location()), "the operator %s is not supported yet", n.Operator)
		return nil
	}
	return c.unsupported(node)
}

// value reports a name that stands for no value.
func (c *compiler) value(node ast.Node, v *value) *value {
	if v != nil && v.pkg != nil {
		return c.failf(node, "%s is a package: write %s.Name", source(node), source(node))
	}
	return v
}

func (c *compiler) unsupported(node ast.Node) *value {
	switch n := node.(type) {
	case *ast.BuiltinNode:
		c.problem(c.offset(n.Location()), "%s() is not supported yet", n.Name)
		return nil
	case *ast.UnaryNode:
		return c.notYet(n, "the operator "+unaryOperator(n)+" is")
	case *ast.ConditionalNode:
		return c.notYet(n, "the operator ?: is")
	case *ast.ChainNode:
		return c.notYet(n, "the operator ?. is")
	case *ast.SliceNode:
		return c.notYet(n, "a slice expression is")
	case *ast.BytesNode:
		return c.notYet(n, "a literal of bytes is")
	case *ast.ArrayNode:
		if node == c.root {
			return c.notYet(n, "the list form of a key is")
		}
		return c.notYet(n, "a list is")
	case *ast.MapNode:
		return c.notYet(n, "a map is")
	}
	return c.notYet(node, "this is")
}

// unaryOperator returns the operator of n, which of "a not in b" is not in.
func unaryOperator(n *ast.UnaryNode) string {
	if inner, ok := n.Node.(*ast.BinaryNode); ok && inner.Location() == n.Location() {
		return n.Operator + " " + inner.Operator
	}
	return n.Operator
}

// start returns where a node's source starts, without the parentheses around
// it.
func (c *compiler) start(node ast.Node) int {
	off := c.offset(node.Location())
	switch n := node.(type) {
	case *ast.BinaryNode:
		return c.start(n.Left)
	case *ast.MemberNode:
		return c.start(n.Node)
	case *ast.CallNode:
		return min(off, c.start(n.Callee))
	case *ast.ChainNode:
		return c.start(n.Node)
	case *ast.SliceNode:
		return c.start(n.Node)
	case *ast.ConditionalNode:
		return c.start(n.Cond)
	}
	return off
}

// add joins the texts of both sides when one of them is a string, and adds
// constant integers.
func (c *compiler) add(n *ast.BinaryNode) *value {
	left, right := c.eval(n.Left), c.eval(n.Right)
	switch {
	case left == nil || right == nil:
		return nil
	case isString(left) || isString(right):
		return c.join(n, left, right)
	case is(left.typ, types.IsInteger) && is(right.typ, types.IsInteger):
		return c.addIntegers(n, left, right)
	}
	c.problem(c.offset(n.Location()), `"+" has no string on either side, but %s and %s`,
		c.describe(n.Left, left), c.describe(n.Right, right))
	return nil
}

func (c *compiler) addIntegers(n *ast.BinaryNode, left, right *value) *value {
	if !isNumber(left) || !isNumber(right) {
		c.problem(c.offset(n.Location()), `the sum of two integers is not supported yet; to join their texts write %s + "" + %s`,
			source(n.Left), source(n.Right))
		return nil
	}
	sum := constant.BinaryOp(left.val, token.ADD, right.val)
	if _, exact := constant.Int64Val(sum); !exact {
		c.problem(c.offset(n.Location()), "%s overflows an int64", source(n))
		return nil
	}
	return literal(types.UntypedInt, sum)
}

// isNumber reports whether v is a constant integer that is not of a type of
// the user's.
func isNumber(v *value) bool {
	_, named := types.Unalias(v.typ).(*types.Named)
	return v.val != nil && !named
}
