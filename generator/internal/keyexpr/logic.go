package keyexpr

import (
	"go/constant"
	"go/token"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// logic is "and" or "or".
func (c *compiler) logic(n *ast.BinaryNode) *value {
	l, r := c.condition(n.Left), c.condition(n.Right)
	if l == nil || r == nil {
		return nil
	}
	and := n.Operator == "and" || n.Operator == "&&"
	if v := foldLogic(and, l, r); v != nil {
		return v
	}
	if !l.native() || !r.native() {
		return c.logicProgram(n, l, r)
	}
	if and {
		return lazily(infix(boolType, "&&", conjunction, l, r), l, r, false)
	}
	return lazily(infix(boolType, "||", disjunction, l, r), l, r, true)
}

// foldLogic is what the literals true and false make of an operator: the
// other side, or themselves.
func foldLogic(and bool, l, r *value) *value {
	switch {
	case l.literal && constant.BoolVal(l.val) == and:
		return r
	case r.literal && constant.BoolVal(r.val) == and:
		return l
	case l.literal || r.literal:
		return boolLiteral(!and)
	}
	return nil
}

// lazily writes the statements of the right side where it is reached only:
// not when the left one is decided.
func lazily(v, l, r *value, decided bool) *value {
	if !r.steps {
		return v
	}
	v.code = func(b *block) *jen.Statement {
		name := b.let("ok", l.code(b))
		test := jen.Id(name)
		if decided {
			test = jen.Op("!").Id(name)
		}
		b.If(test).BlockFunc(func(g *jen.Group) {
			in := b.child(g)
			in.set(name, r.code(in))
		})
		return jen.Id(name)
	}
	v.prec = primary
	return v
}

func (c *compiler) not(n *ast.UnaryNode, v *value) *value {
	switch {
	case v.class() != bools && v.class() != dynamic:
		return c.failf(n, "the operator %s stands before true or false, not %s", n.Operator, c.describe(n.Node, v))
	case inProgram(v):
		return c.prefixProgram("!", boolType, v)
	}
	if v = c.asBool(n.Node, c.strict(n.Node, v)); v == nil {
		return nil
	}
	return negation(v)
}

func negation(v *value) *value {
	if v.literal {
		return boolLiteral(!constant.BoolVal(v.val))
	}
	if v.val != nil && isUntyped(v.typ) {
		return boolConstant(!constant.BoolVal(v.val))
	}
	w := derive(boolType, v)
	w.prec, w.simple = unary, v.simple
	if v.val != nil {
		w.val = constant.UnaryOp(token.NOT, v.val, 0)
	}
	if v.negated != nil {
		w.code, w.prec = v.negated.code, v.negated.prec
		return w
	}
	w.code = func(b *block) *jen.Statement { return jen.Op("!").Add(v.at(primary)(b)) }
	return w
}

// conditionally is a comparison for which v must not be nil: without guards,
// or false where they don't hold.
func conditionally(guards []*guard, v *value) *value {
	if len(guards) == 0 {
		return v
	}
	w := derive(boolType, v)
	for _, g := range guards {
		w.add(g.value.traits)
	}
	w.prec = conjunction
	if plain(guards) && !v.steps && !anyGuardSteps(guards) {
		w.code = func(b *block) *jen.Statement { return holds(b, guards, "!=", "&&").Op("&&").Add(v.at(conjunction)(b)) }
		if v.negated != nil && v.negated.prec <= comparison {
			code := func(b *block) *jen.Statement { return holds(b, guards, "==", "||").Op("||").Add(v.negated.code(b)) }
			w.negated = &form{code: code, prec: disjunction}
		}
		return w
	}
	w.steps, w.prec = true, primary
	w.code = func(b *block) *jen.Statement {
		name := b.let("ok", jen.False())
		open(b, guards, func(in *block) { in.set(name, v.code(in)) })
		return jen.Id(name)
	}
	return w
}

func anyGuardSteps(guards []*guard) bool {
	for _, g := range guards {
		if g.value.steps {
			return true
		}
	}
	return false
}
