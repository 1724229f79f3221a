package keyexpr

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// array is a list's literal. Where its elements have a type in common there is
// code for it.
func (c *compiler) array(n *ast.ArrayNode) *value {
	var elements []*value
	var parts []part
	for _, node := range n.Nodes {
		e := c.eval(node)
		if e == nil {
			continue
		}
		elements = append(elements, e)
		parts = append(parts, part{node, e})
	}
	if len(elements) < len(n.Nodes) {
		return nil
	}
	v := derive(types.NewSlice(anyType), elements...)
	v.list, v.boxed, v.hint = elements, true, "list"
	all := c.allRaw(parts)
	v.program = func(p *program) string { return "[" + p.list(all, p.write) + "]" }
	v.plain = func(p *program) string { return "[" + p.list(all, p.basic) + "]" }
	if len(parts) == 0 {
		return v
	}
	elem, convert := c.common(parts)
	if elem == nil || anySparse(elements) {
		v.typ = types.NewSlice(sharedBy(elements))
		return v
	}
	v.typ = types.NewSlice(elem)
	v.code = c.composite(typeCode(v.typ), parts, convert)
	return v
}

// anySparse reports maps' literals inside of another literal, which only a
// program finds again.
func anySparse(elements []*value) bool {
	return slices.ContainsFunc(elements, func(e *value) bool { return e.sparse })
}

// sharedBy is what is known of the types of all values.
func sharedBy(values []*value) types.Type {
	t := types.Type(types.Typ[types.UntypedNil])
	for _, v := range values {
		if mayBeNil(v) {
			return anyType
		}
		t = sharedType(t, v.typ)
	}
	if isNil(t) {
		return anyType
	}
	return t
}

func (c *compiler) allRaw(parts []part) []*value {
	var all []*value
	for _, p := range parts {
		all = append(all, c.raw(p.node, p.value))
	}
	return all
}

// composite is the literal of a slice.
func (c *compiler) composite(t *jen.Statement, parts []part, convert func(ast.Node, *value) *value) code {
	var values []*value
	for _, p := range parts {
		e := convert(p.node, p.value)
		if e == nil {
			return nil
		}
		values = append(values, e)
	}
	return func(b *block) *jen.Statement { return t.Clone().Values(statements(b.operands(values...))...) }
}

// listFor returns a list's literal as a slice that a parameter takes, nil
// where that cannot be.
func (c *compiler) listFor(node ast.Node, v *value, to types.Type) *value {
	slice, ok := to.Underlying().(*types.Slice)
	if !ok || !c.writable(to) {
		return nil
	}
	nodes := node.(*ast.ArrayNode).Nodes
	var parts []part
	for i, e := range v.list {
		if !e.native() || len(e.guards) > 0 || !c.assignable(e, slice.Elem()) {
			return nil
		}
		parts = append(parts, part{nodes[i], e})
	}
	w := derive(to, v)
	w.code = c.composite(typeCode(to), parts, func(_ ast.Node, v *value) *value { return v })
	return w
}

// dict is a map's literal. Where its keys are constants and its values have a
// type in common there is code for it.
func (c *compiler) dict(n *ast.MapNode) *value {
	var keys []string
	var parts []part
	var all, elements []*value
	seen := make(map[string]bool)
	constantKeys := true
	for _, node := range n.Pairs {
		pair := node.(*ast.PairNode)
		key, e := c.dictKey(pair.Key), c.eval(pair.Value)
		if key == nil || e == nil {
			continue
		}
		if key.val == nil {
			constantKeys = false
		} else {
			text := constant.StringVal(key.val)
			if seen[text] {
				c.failf(pair.Key, "the map has the key %q twice", text)
			}
			seen[text], keys = true, append(keys, text)
		}
		all, elements = append(all, key, c.raw(pair.Value, e)), append(elements, e)
		parts = append(parts, part{pair.Value, e})
	}
	if len(parts) < len(n.Pairs) || c.failed() {
		return nil
	}
	v := derive(types.NewMap(stringType, anyType), all...)
	v.list, v.boxed, v.sparse, v.hint = elements, true, true, "values"
	v.program = func(p *program) string { return p.dict(all) }
	elem, convert := types.Type(nil), (func(ast.Node, *value) *value)(nil)
	if len(parts) > 0 {
		elem, convert = c.common(parts)
	}
	if !constantKeys || elem == nil || anySparse(elements) {
		v.typ = types.NewMap(stringType, sharedBy(elements))
		return v
	}
	v.typ = types.NewMap(stringType, elem)
	v.code = c.dictCode(typeCode(v.typ), keys, parts, convert)
	return v
}

func (c *compiler) dictKey(node ast.Node) *value {
	v := c.eval(node)
	if v != nil && v.class() != texts && v.class() != dynamic {
		return c.failf(node, "the key of a map's literal is a string, not %s", c.describe(node, v))
	}
	return v
}

func (c *compiler) dictCode(t *jen.Statement, keys []string, parts []part, convert func(ast.Node, *value) *value) code {
	var values []*value
	for _, p := range parts {
		e := convert(p.node, p.value)
		if e == nil {
			return nil
		}
		values = append(values, e)
	}
	return func(b *block) *jen.Statement {
		var pairs []jen.Code
		for i, o := range b.operands(values...) {
			pairs = append(pairs, jen.Lit(keys[i]).Op(":").Add(o.Statement))
		}
		return t.Clone().Values(pairs...)
	}
}

// bytes is a literal of bytes.
func (c *compiler) bytes(n *ast.BytesNode) *value {
	if !c.predeclared(n, "byte") {
		return nil
	}
	v := derive(types.NewSlice(types.Universe.Lookup("byte").Type()))
	v.simple, v.hint = true, "bytes"
	v.code = func(*block) *jen.Statement { return jen.Index().Byte().Parens(jen.Lit(string(n.Value))) }
	return v
}
