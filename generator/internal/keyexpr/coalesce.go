package keyexpr

import (
	"fmt"
	"go/types"

	"github.com/expr-lang/expr/ast"
)

// coalesce is "a ?? b": the first of several values that is not nil.
func (c *compiler) coalesce(n *ast.BinaryNode) *value {
	nodes := alternatives(n)
	var parts []part
	inPrograms := false
	for _, node := range nodes {
		v := c.operand(node, c.eval(node))
		if v == nil {
			return nil
		}
		parts = append(parts, part{node, v})
		inPrograms = inPrograms || inProgram(v) || isNil(v.typ)
	}
	last := len(parts) - 1
	if inPrograms || len(parts[last].value.guards) > 0 {
		return c.coalesceProgram(n, parts)
	}
	b := &branch{last: parts[last], whole: derive(boolType)}
	for _, p := range parts[:last] {
		if !c.mayBeNil(n, p) {
			return nil
		}
		b.cases = append(b.cases, alternative(p))
		for _, g := range b.cases[len(b.cases)-1].guards {
			b.whole.add(g.value.traits)
		}
	}
	return c.chosen(b, func() *value { return c.coalesceProgram(n, parts) })
}

// alternatives are the operands of "??" one after the other.
func alternatives(n *ast.BinaryNode) []ast.Node {
	left, ok := n.Left.(*ast.BinaryNode)
	if !ok || left.Operator != "??" {
		return []ast.Node{n.Left, n.Right}
	}
	return append(alternatives(left), n.Right)
}

// mayBeNil reports an alternative behind which no other is ever taken.
func (c *compiler) mayBeNil(n *ast.BinaryNode, p part) bool {
	if len(p.value.guards) > 0 || nilable(p.value.typ) {
		return true
	}
	c.failf(p.node, "%s is never nil%s", c.describe(p.node, p.value), c.insteadOfNil(p, source(n.Right)))
	return false
}

// insteadOfNil says how to ask for what was meant by nil: an empty string, or a
// key that a map does not have.
func (c *compiler) insteadOfNil(p part, otherwise string) string {
	s := source(p.node)
	if n, ok := p.node.(*ast.MemberNode); ok && c.seen[n.Node] != nil && classOf(pointed(c.seen[n.Node].typ)) == dicts {
		return fmt.Sprintf(": write %s in %s ? %s : %s", source(n.Property), source(n.Node), s, otherwise)
	}
	if p.value.class() == texts {
		return fmt.Sprintf(`: write %s != "" ? %s : %s`, s, s, otherwise)
	}
	return ""
}

func alternative(p part) branchCase {
	guards := append([]*guard(nil), p.value.guards...)
	v := p.value.bare()
	if nilable(v.typ) {
		guards = append(guards, &guard{value: v, source: source(p.node)})
		v = held(v)
	}
	return branchCase{guards: guards, part: part{p.node, v}}
}

func (c *compiler) coalesceProgram(n *ast.BinaryNode, parts []part) *value {
	var values []*value
	t, orNil := types.Type(types.Typ[types.UntypedNil]), true
	for _, p := range parts {
		v := c.raw(p.node, c.origin(p.node, p.value))
		values = append(values, v)
		t, orNil = sharedType(t, p.value.typ), mayBeNil(p.value) || nilable(v.typ)
	}
	w := inside(t, func(p *program) string {
		text := p.tight(values[0])
		return p.lazily(func() string {
			for _, v := range values[1:] {
				text += " ?? " + p.tight(v)
			}
			return text
		})
	}, values...)
	w.infix, w.orNil, w.boxed = true, orNil, true
	return w
}
