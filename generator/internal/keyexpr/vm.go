package keyexpr

import (
	"errors"
	"go/token"
	"go/types"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// compiles reports a program that expr does not compile.
func (c *compiler) compiles(node ast.Node, src string) bool {
	function := func(...any) (any, error) { return nil, nil }
	_, err := expr.Compile(src, expr.Env(map[string]any{}), expr.AllowUndefinedVariables(),
		expr.Function("text", function), expr.Function("basic", function))
	if err == nil {
		return true
	}
	text := err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		text = e.Message
	}
	c.failf(node, "%s: %s", source(node), strings.SplitN(text, "\n", 2)[0])
	return false
}

// inside returns a value that only a program has.
func inside(t types.Type, write fragment, parts ...*value) *value {
	v := derive(t, parts...)
	v.program, v.hint = write, "result"
	return v
}

// ready prepares an operand of a program: types that operators don't know
// become those that they are based on.
func (c *compiler) ready(node ast.Node, v *value) *value {
	if v.program == nil && v.guards == nil && v.native() && needsBasic(v) && !isPointer(v.typ) {
		return sameLabel(v, c.converted(node, v, v.typ.Underlying().(*types.Basic).Kind()))
	}
	return c.raw(node, v)
}

// raw prepares a value for a program that leaves it the type that it has.
func (c *compiler) raw(node ast.Node, v *value) *value {
	if v.program != nil || v.literal || v.guards != nil || !v.native() {
		return v
	}
	if p := typeParam(v.typ); p != nil {
		if kind, _ := paramKind(p); kind != nil {
			return sameLabel(v, c.plainParam(node, v))
		}
	}
	if v.val != nil && isUntyped(v.typ) {
		return sameLabel(v, c.converted(node, v, types.Default(v.typ).(*types.Basic).Kind()))
	}
	return v
}

// sameLabel gives a conversion of v the name that v has in a program.
func sameLabel(v, converted *value) *value {
	if converted == nil || converted == v {
		return v
	}
	w := *converted
	w.label, w.source = v.label, v.source
	return &w
}

func (c *compiler) readyPair(n *ast.BinaryNode, l, r *value) (*value, *value) {
	return c.ready(n.Left, l), c.ready(n.Right, r)
}

// infixProgram is an operator in a program.
func (c *compiler) infixProgram(n *ast.BinaryNode, t types.Type, l, r *value) *value {
	l, r = c.readyPair(n, c.origin(n.Left, l), c.origin(n.Right, r))
	v := inside(t, func(p *program) string {
		return p.tightBasic(l) + " " + n.Operator + " " + p.tightBasic(r)
	}, l, r)
	v.infix = true
	return v
}

// origin is an operand as it was before a pointer was followed, which programs
// do themselves.
func (c *compiler) origin(node ast.Node, v *value) *value {
	if was := c.seen[node]; was != nil && v.native() && len(v.guards) > len(was.guards) {
		return was
	}
	return v
}

func (c *compiler) equalProgram(n *ast.BinaryNode, l, r *value) *value {
	l, r = c.readyPair(n, l, r)
	v := inside(boolType, func(p *program) string { return p.tightBasic(l) + " == " + p.tightBasic(r) }, l, r)
	v.infix = true
	return v
}

func (c *compiler) nilValue() *value {
	return inside(types.Typ[types.UntypedNil], func(*program) string { return "nil" })
}

func (c *compiler) prefixProgram(op string, t types.Type, v *value) *value {
	if op == "not" {
		op = "!"
	}
	w := inside(t, func(p *program) string { return op + p.tightBasic(v) }, v)
	w.infix = true
	return w
}

// logicProgram evaluates the right side only where the left does not decide.
func (c *compiler) logicProgram(n *ast.BinaryNode, l, r *value) *value {
	v := inside(boolType, func(p *program) string {
		left := p.tightBasic(l)
		return left + " " + n.Operator + " " + p.lazily(func() string { return p.tightBasic(r) })
	}, l, r)
	v.infix = true
	return v
}

// toProgram is a condition in a program.
func (c *compiler) toProgram(node ast.Node, v *value) *value {
	w := c.ready(node, v)
	return inside(boolType, func(p *program) string { return p.tightBasic(w) }, w)
}

func (c *compiler) conditionalProgram(n *ast.ConditionalNode, cond, then, otherwise *value) *value {
	cond = c.ready(n.Cond, cond)
	then, otherwise = c.raw(n.Exp1, then), c.raw(n.Exp2, otherwise)
	v := inside(sharedType(then.typ, otherwise.typ), func(p *program) string {
		test := p.tightBasic(cond)
		return p.lazily(func() string { return test + " ? " + p.tight(then) + " : " + p.tight(otherwise) })
	}, cond, then, otherwise)
	v.infix, v.orNil = true, mayBeNil(then) || mayBeNil(otherwise)
	v.boxed = then.boxed || otherwise.boxed
	return v
}

func mayBeNil(v *value) bool { return v.orNil || len(v.guards) > 0 || isNil(v.typ) }

// sharedType is the type of a value that is one of two.
func sharedType(a, b types.Type) types.Type {
	x, y := types.Default(a), types.Default(b)
	switch k, l := classOf(x), classOf(y); {
	case isNil(x):
		return y
	case isNil(y) || types.Identical(x, y):
		return x
	case isPointer(x) || isPointer(y):
		t := pointed(x)
		if k := classOf(t); k == classOf(pointed(y)) && some[k] != nil {
			return some[k]
		}
		return anyType
	case k == l && some[k] != nil:
		return some[k]
	case (k == integers || k == floats) && (l == integers || l == floats):
		return some[floats]
	}
	return anyType
}

// some are the types of values that a program chooses from such of several
// types.
var some = map[class]types.Type{
	integers: someType("integer", intType),
	floats:   someType("number", floatType),
	texts:    someType("text", stringType),
	bools:    someType("bool", boolType),
}

func someType(name string, t types.Type) types.Type {
	return types.NewNamed(types.NewTypeName(token.NoPos, nil, name, nil), t, nil)
}

// plainType is the predeclared type that t is based on, or t.
func plainType(t types.Type) types.Type {
	if k := classOf(t); some[k] != nil && t != some[k] && isNamed(t) {
		return t.Underlying()
	}
	return types.Default(t)
}

// joinProgram joins texts in a program.
func (c *compiler) joinProgram(n *ast.BinaryNode, l, r *value) *value {
	v := inside(stringType, func(p *program) string { return p.text(l) + " + " + p.text(r) }, l, r)
	for _, side := range []part{{n.Left, l}, {n.Right, r}} {
		if !c.hasText(side.value) {
			return c.failf(side.node, "%s", c.advice(side.node, side.value))
		}
	}
	v.infix = true
	return v
}

// text writes a value that becomes a text.
func (p *program) text(v *value) string {
	if types.Identical(v.typ, stringType) && !v.orNil || v.literal && v.class() == texts {
		return p.tight(v)
	}
	return "text(" + p.write(v) + ")"
}

// hasText reports whether a value of v's type has a text.
func (c *compiler) hasText(v *value) bool {
	t := pointed(v.typ)
	if hasNoText(v.typ) || hasNoText(t) || isNil(v.typ) {
		return false
	}
	if stringMethod(v.typ, false) != nil {
		return true
	}
	return stringMethod(t, true) == nil && is(t, types.IsString|types.IsInteger|types.IsBoolean)
}

// textProgram is the text of a value that only a program has.
func (c *compiler) textProgram(node ast.Node, v *value) *value {
	if !c.hasText(v) {
		return c.failf(node, "%s", c.advice(node, v))
	}
	return inside(stringType, func(p *program) string { return p.text(v) }, v)
}

func (c *compiler) rangeProgram(n *ast.BinaryNode, from, to *value) *value {
	v := c.infixProgram(n, types.NewSlice(intType), from, to)
	inner := v.program
	v.program = func(p *program) string { return strings.Replace(inner(p), " .. ", "..", 1) }
	v.label = "numbers"
	return v
}

func (c *compiler) indexProgram(n *ast.MemberNode, t types.Type, base, key *value) *value {
	base, key = c.ready(n.Node, base), c.ready(n.Property, key)
	open := "["
	if n.Optional {
		open = "?.["
	}
	v := inside(t, func(p *program) string { return p.tight(base) + open + p.basic(key) + "]" }, base, key)
	v.orNil = n.Optional || base.orNil || isDynamic(t) || (base.boxed || base.sparse) && classOf(pointed(base.typ)) == dicts
	v.boxed = base.boxed && !isDynamic(t) && classOf(t) == lists
	return v
}

func (c *compiler) sliceProgram(n *ast.SliceNode, t types.Type, v, from, to *value) *value {
	parts := []*value{c.ready(n.Node, v)}
	for _, b := range []part{{n.From, from}, {n.To, to}} {
		if b.value != nil {
			b.value = c.ready(b.node, b.value)
			parts = append(parts, b.value)
		}
	}
	rest := parts[1:]
	w := inside(t, func(p *program) string {
		low, high := "", ""
		if from != nil {
			low = p.basic(rest[0])
		}
		if to != nil {
			high = p.basic(rest[len(rest)-1])
		}
		return p.tightBasic(parts[0]) + "[" + low + ":" + high + "]"
	}, parts...)
	w.boxed = v.boxed
	return w
}
