package keyexpr

import (
	"fmt"
	"go/constant"
	"go/types"
	"path"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser/lexer"
)

// maxSize bounds the code of an expression. A comparison such as a < b < c
// stands for two, and when nested doubles.
const maxSize = 20_000

// compiler compiles one expression.
type compiler struct {
	scope *Scope
	src   string
	text  string

	offsets []int          // of the source's runes, in bytes
	tokens  []lexer.Token  // of the source
	renamed map[int]string // names that parsing replaced, by the offset of their first rune
	root    ast.Node
	seen    map[ast.Node]*value

	loops    []loop // the predicates around, the innermost last
	programs int    // how many parts run on expr's VM
	globals  []*Global
	limiter  bool
	vars     []Var
	objects  []string // names of the package that the source uses
	packages []string
	problems []Problem
}

func (c *compiler) problem(off int, format string, args ...any) {
	c.problems = append(c.problems, Problem{Off: off, Text: visible(fmt.Sprintf(format, args...))})
}

func (c *compiler) note(off int, format string, args ...any) {
	c.problems = append(c.problems, Problem{Off: off, Text: visible(fmt.Sprintf(format, args...)), Note: true})
}

// failf reports a problem with a node at the node's start.
func (c *compiler) failf(node ast.Node, format string, args ...any) *value {
	c.problem(c.start(node), format, args...)
	return nil
}

// failAt reports a problem with a node at its operator.
func (c *compiler) failAt(node ast.Node, format string, args ...any) *value {
	c.problem(c.offset(node.Location()), format, args...)
	return nil
}

func (c *compiler) notYet(node ast.Node, what string) *value {
	return c.failf(node, "%s not supported yet", what)
}

// qual returns a package's name in code.
func (c *compiler) qual(path, pkg, name string) func() *jen.Statement {
	if !slices.Contains(c.packages, pkg) {
		c.packages = append(c.packages, pkg)
	}
	return func() *jen.Statement { return jen.Qual(path, name) }
}

func (c *compiler) std(pkg, name string) func() *jen.Statement {
	return c.qual(pkg, path.Base(pkg), name)
}

// predeclared reports whether a name of the universe scope means itself. With
// false it reported that the package hides it.
func (c *compiler) predeclared(node ast.Node, name string) bool {
	if c.scope.Pkg.Scope().Lookup(name) != nil {
		c.failf(node, "%s needs Go's own %s, which the package hides by its own", source(node), name)
		return false
	}
	return true
}

func (c *compiler) compile(want Want) *Expr {
	expr := &Expr{Text: c.text}
	c.finish(expr, want)
	if want == WantKey {
		c.advisePorts(c.root)
	}
	if c.failed() {
		return nil
	}
	expr.Native, expr.Limiter, expr.Globals = c.programs == 0, c.limiter, c.globals
	expr.packages, expr.objects, expr.vars = c.packages, c.objects, c.vars
	for _, v := range c.vars {
		expr.Vars = append(expr.Vars, v.Name)
	}
	expr.Names = c.namesIn(expr.Code())
	if c.hidesAny(expr.Names) {
		return nil
	}
	return expr
}

// namesIn returns the names in code that are neither variables of the scope
// nor declared by the code itself.
func (c *compiler) namesIn(code *jen.Statement) []string {
	var names []string
	for name := range identifiers(code) {
		_, isVar := c.scope.variable(name)
		known := types.Universe.Lookup(name) != nil || slices.Contains(c.objects, name)
		if known && !isVar && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hidesAny reports a predeclared name of the code that the package hides.
func (c *compiler) hidesAny(names []string) bool {
	for _, name := range names {
		if !slices.Contains(c.objects, name) && !c.predeclared(c.root, name) {
			return true
		}
	}
	return false
}

func (c *compiler) finish(expr *Expr, want Want) {
	if list, ok := c.root.(*ast.ArrayNode); ok && want == WantKey {
		c.finishList(expr, list)
		return
	}
	v := c.eval(c.root)
	if v == nil {
		return
	}
	switch want {
	case WantKey:
		c.finishText(expr, v)
		c.adviseSum()
		c.adviseParts(expr.Pieces)
	case WantString:
		c.finishString(expr, v)
	case WantInt:
		c.finishValue(expr, v, types.IsInteger, "an integer")
	case WantBool:
		c.finishValue(expr, v, types.IsBoolean, "true or false")
	default:
		c.finishValue(expr, v, types.IsConstType, "basic")
	}
}

func (c *compiler) finishString(expr *Expr, v *value) {
	if b := c.operand(c.root, v); b != nil && isString(b) {
		c.finishText(expr, v)
		return
	}
	c.failf(c.root, "this must be a string, not %s", c.describe(c.root, v))
}

func (c *compiler) finishText(expr *Expr, v *value) {
	if pieces := c.textOf(c.root, v); pieces != nil {
		expr.setPieces(pieces)
	}
}

func (e *Expr) setPieces(pieces []Piece) {
	adopt(e, pieces)
	if len(pieces) == 1 && pieces[0].Kind == Literal {
		e.Const = constant.MakeString(pieces[0].Text)
	}
	e.Type, e.Pieces = stringType, pieces
	e.value = &value{typ: stringType, code: func(b *block) *jen.Statement { return concat(b, pieces) }}
	for _, p := range pieces {
		e.CanFail = e.CanFail || p.fails
		e.Steps = e.Steps || p.steps
	}
}

// adopt makes pieces those of e.
func adopt(e *Expr, pieces []Piece) {
	for i := range pieces {
		pieces[i].expr = e
		if choice := pieces[i].choice; choice != nil {
			for _, list := range choice.cases {
				adopt(e, list)
			}
		}
	}
}

func (c *compiler) finishValue(expr *Expr, v *value, info types.BasicInfo, what string) {
	v = c.strict(c.root, c.asInteger(c.operand(c.root, v)))
	switch {
	case v == nil:
		return
	case !is(v.typ, info) || !v.native():
		c.failf(c.root, "this must be %s, not %s%s", what, c.describe(c.root, v), c.wholeNumber(v, info))
		return
	}
	if v.steps && !c.writable(v.typ) {
		if v = c.converted(c.root, v, wideKind(v.typ)); v == nil {
			return
		}
	}
	expr.Type, expr.Const, expr.value = v.typ, v.val, v
	expr.CanFail, expr.Steps = v.fails, v.steps
}

// wholeNumber says how a float becomes the integer that is wanted.
func (c *compiler) wholeNumber(v *value, info types.BasicInfo) string {
	if info&types.IsInteger == 0 || !is(v.typ, types.IsFloat) {
		return ""
	}
	return fmt.Sprintf(": write int(%s)", source(c.root))
}

// eval returns the value of a node, or nil when it reported a problem.
func (c *compiler) eval(node ast.Node) *value {
	if v, ok := c.seen[node]; ok {
		return v
	}
	v := c.evaluate(node)
	if v != nil && v.size > maxSize {
		v = c.failf(node, "the expression is too long")
	}
	if v != nil {
		v = c.lower(node, labelled(node, v))
	}
	c.seen[node] = v
	return v
}

// labelled notes where a value comes from, for names.
func labelled(node ast.Node, v *value) *value {
	w := *v
	w.label = hintOf(node)
	if v.simple && v.val == nil {
		w.source = node.String()
	}
	return &w
}

func (c *compiler) evaluate(node ast.Node) *value {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return c.value(n, c.identifier(n))
	case *ast.MemberNode:
		return c.value(n, c.member(n))
	case *ast.ChainNode:
		return c.eval(n.Node)
	case *ast.SliceNode:
		return c.slice(n)
	case *ast.CallNode:
		return c.call(n)
	case *ast.BuiltinNode:
		return c.builtin(n)
	case *ast.PointerNode:
		return c.element(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.ConditionalNode:
		return c.conditional(n)
	case *ast.ArrayNode:
		return c.array(n)
	case *ast.MapNode:
		return c.dict(n)
	}
	return c.constant(node)
}

func (c *compiler) constant(node ast.Node) *value {
	if name := node.String(); isLiteralName(name) && c.scope.has(name) {
		return c.failf(node, "%s is the constant in an expression: give the parameter another name to use it", name)
	}
	switch n := node.(type) {
	case *ast.StringNode:
		return literal(types.UntypedString, constant.MakeString(n.Value))
	case *ast.IntegerNode:
		return literal(types.UntypedInt, constant.MakeInt64(int64(n.Value)))
	case *ast.FloatNode:
		return literal(types.UntypedFloat, constant.MakeFloat64(n.Value))
	case *ast.BoolNode:
		return boolLiteral(n.Value)
	case *ast.BytesNode:
		return c.bytes(n)
	case *ast.NilNode:
		v := derive(types.Typ[types.UntypedNil])
		v.code, v.simple = func(*block) *jen.Statement { return jen.Nil() }, true
		v.program = func(*program) string { return "nil" }
		return v
	}
	return c.notYet(node, "this is")
}

func isLiteralName(name string) bool { return name == "true" || name == "false" || name == "nil" }

// value reports a name that stands for no value.
func (c *compiler) value(node ast.Node, v *value) *value {
	if v != nil && v.pkg != nil {
		return c.failf(node, "%s is a package: write %s.Name", source(node), source(node))
	}
	return v
}

// start returns where a node's source starts, without the parentheses around
// it.
func (c *compiler) start(node ast.Node) int {
	off := c.offset(node.Location())
	first := func(n ast.Node) int { return min(off, c.start(n)) }
	switch n := node.(type) {
	case *ast.BinaryNode:
		return c.start(n.Left)
	case *ast.MemberNode:
		return c.start(n.Node)
	case *ast.CallNode:
		if len(n.Arguments) > 0 {
			return min(c.start(n.Callee), c.start(n.Arguments[0]))
		}
		return first(n.Callee)
	case *ast.BuiltinNode:
		if len(n.Arguments) > 0 {
			return first(n.Arguments[0])
		}
	case *ast.ChainNode:
		return c.start(n.Node)
	case *ast.SliceNode:
		return c.start(n.Node)
	case *ast.ConditionalNode:
		return c.start(n.Cond)
	case *ast.UnaryNode:
		return first(n.Node)
	case *ast.PredicateNode:
		return c.start(n.Node)
	}
	return off
}
