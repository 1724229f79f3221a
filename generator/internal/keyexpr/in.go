package keyexpr

import (
	"go/constant"
	"go/types"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// in looks for a value in a list, for a key in a map, or for a field of a
// struct. Nothing is in nil.
func (c *compiler) in(n *ast.BinaryNode) *value {
	l := c.operand(n.Left, c.eval(n.Left))
	if rng, ok := n.Right.(*ast.BinaryNode); ok && rng.Operator == ".." {
		return c.inRange(n, rng, l)
	}
	r := c.operand(n.Right, c.eval(n.Right))
	if l == nil || r == nil {
		return nil
	}
	switch r.class() {
	case lists:
		return c.inList(n, l, r)
	case dicts:
		return c.inDict(n, l, r)
	case structs:
		return c.inStruct(n, l, r)
	case dynamic:
		return c.infixProgram(n, boolType, l, r)
	case texts:
		return c.failAt(n, "nothing is in %s: write %s contains %s", c.describe(n.Right, r), source(n.Right), source(n.Left))
	case null:
		return boolConstant(false)
	}
	return c.failAt(n, "the operator in looks into a list, map or struct, not %s", c.describe(n.Right, r))
}

// elemOf is the type of a list's elements.
func elemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return anyType
}

func (c *compiler) inList(n *ast.BinaryNode, l, r *value) *value {
	if r.list != nil {
		return c.inLiteral(n, l, r)
	}
	elem := derive(elemOf(r.typ))
	if same := c.unconverted(n.Left, l, elem.typ); same != l && types.Comparable(elem.typ) && r.native() {
		return c.whereThere(same, r, func(l, r *value) *value { return invoked(boolType, c.std("slices", "Contains"), r, l) })
	}
	if !isNil(l.typ) && !areComparable(l, elem) {
		return c.failAt(n, "%s cannot be in %s", c.describe(n.Left, l), c.describe(n.Right, r))
	}
	if v := c.listContains(n, l, r); v != nil && !inProgram(l, r) {
		return v
	}
	if c.failed() {
		return nil
	}
	return c.infixProgram(n, boolType, l, r)
}

// listContains looks into a slice whose elements Go compares as expr does; it
// returns nil for another one.
func (c *compiler) listContains(n *ast.BinaryNode, l, r *value) *value {
	if inProgram(l, r) || isNil(l.typ) || len(r.guards) > 0 && len(l.guards) > 0 {
		return nil
	}
	r = sliced(r)
	elem := derive(elemOf(r.typ))
	elem.code = func(*block) *jen.Statement { return nil }
	switch elem.class() {
	case integers, floats, texts, bools, durations:
	default:
		return nil
	}
	return c.whereThere(l, r, func(needle, list *value) *value { return c.sliceContains(n, elem, needle, list) })
}

// sliced is an array as a slice.
func sliced(v *value) *value {
	array, ok := v.typ.Underlying().(*types.Array)
	if !ok {
		return v
	}
	whole := *v.bare()
	whole.simple = v.simple && v.addressable
	list := held(&whole)
	s := derive(types.NewSlice(array.Elem()), &whole)
	s.steps = s.steps || !whole.simple
	s.code = func(b *block) *jen.Statement {
		b.hold(&whole)
		return list.at(primary)(b).Index(jen.Op(":"))
	}
	return s.guarded(v.guards)
}

func (c *compiler) sliceContains(n *ast.BinaryNode, elem, needle, list *value) *value {
	if types.Identical(needle.typ, elem.typ) || needle.val != nil && isUntyped(needle.typ) && comparesAsIs("==", needle, elem) {
		return invoked(boolType, c.std("slices", "Contains"), list, needle)
	}
	if !c.writable(elem.typ) {
		return nil
	}
	if needle.fails || needle.steps {
		needle = forced(needle)
	}
	equal := c.same(n, held(elem), held(needle))
	if equal == nil || !equal.native() {
		return nil
	}
	return c.withHeld(needle, c.containsFunc(list, elem, equal))
}

// containsFunc looks for an element for which equal is true.
func (c *compiler) containsFunc(list, elem, equal *value) *value {
	contains := c.std("slices", "ContainsFunc")
	v := derive(boolType, list, equal)
	v.code = func(b *block) *jen.Statement {
		all, name := list.code(b), b.local("e")
		return contains().Call(all, jen.Func().Params(jen.Id(name).Add(typeCode(elem.typ))).Bool().BlockFunc(func(g *jen.Group) {
			in := b.child(g)
			in.held[elem.self] = jen.Id(name)
			in.Return(equal.code(in))
		}))
	}
	return v
}

// inLiteral compares with each element of a list.
func (c *compiler) inLiteral(n *ast.BinaryNode, l, r *value) *value {
	if len(r.list) == 0 && l.native() && !l.fails {
		return boolConstant(false)
	}
	var any *value
	elements := n.Right.(*ast.ArrayNode).Nodes
	for i, e := range r.list {
		if isNil(e.typ) || isNil(l.typ) {
			return c.infixProgram(n, boolType, l, r)
		}
		if e = c.operand(elements[i], e); e == nil {
			return nil
		}
		if !areComparable(l, e) {
			return c.failf(elements[i], "%s is never equal to %s", c.describe(elements[i], e), c.describe(n.Left, l))
		}
		equal := c.equalElement(n, l, e)
		if equal == nil || !equal.native() || e.fails || e.steps || len(e.guards) > 0 {
			return c.inLiteralProgram(n, l, r)
		}
		any = either(any, equal)
	}
	if any == nil || inProgram(l) {
		return c.inLiteralProgram(n, l, r)
	}
	return conditionally(l.guards, c.withHeld(l, any))
}

func (c *compiler) inLiteralProgram(n *ast.BinaryNode, l, r *value) *value {
	if c.failed() {
		return nil
	}
	return c.infixProgram(n, boolType, l, r)
}

func (c *compiler) equalElement(n *ast.BinaryNode, l, e *value) *value {
	if inProgram(l, e) {
		return nil
	}
	return c.same(n, held(l.bare()), e.bare())
}

func either(a, b *value) *value {
	if a == nil {
		return b
	}
	return infix(boolType, "||", disjunction, a, b)
}

// withHeld writes l to a variable before v, which compares it several times.
func (c *compiler) withHeld(l, v *value) *value {
	if l = l.bare(); l.simple {
		return v
	}
	w := derive(v.typ, l, v)
	w.steps, w.prec = true, v.prec
	w.code = func(b *block) *jen.Statement {
		b.hold(l)
		return v.code(b)
	}
	return w
}

// inDict looks for a key.
func (c *compiler) inDict(n *ast.BinaryNode, l, r *value) *value {
	key := r.typ.Underlying().(*types.Map).Key()
	l = c.unconverted(n.Left, l, key)
	switch {
	case inProgram(l, r) || len(l.guards) > 0 || isNil(l.typ):
		return c.infixProgram(n, boolType, l, r)
	case !c.fitsKey(l, key):
		return c.failf(n.Left, "%s is no key of %s", c.describe(n.Left, l), c.describe(n.Right, r))
	}
	if l = c.asKey(n.Left, l, key); l == nil {
		return nil
	}
	v := derive(boolType, l, r)
	dict := r.bare()
	v.steps, v.hint = true, "found"
	v.code = func(b *block) *jen.Statement {
		o := b.operands(l, dict)
		found := b.local("found")
		b.define(o[1].at(primary).Index(o[0].Statement), "_", found)
		return jen.Id(found)
	}
	if len(r.guards) > 0 && (l.fails || l.steps) {
		return c.infixProgram(n, boolType, l, r)
	}
	return conditionally(r.guards, v)
}

// fitsKey reports whether v may be the key of a map.
func (c *compiler) fitsKey(v *value, key types.Type) bool {
	return c.assignable(v, key) || types.Identical(key, stringType) && v.class() == texts
}

// inStruct looks for an exported field by its name.
func (c *compiler) inStruct(n *ast.BinaryNode, l, r *value) *value {
	switch {
	case l.class() != texts && l.class() != dynamic:
		return c.failf(n.Left, "%s is no name of a field", c.describe(n.Left, l))
	case l.val == nil || inProgram(l, r):
		return c.infixProgram(n, boolType, l, r)
	}
	field, isField := c.findMember(r.typ, constant.StringVal(l.val)).(*types.Var)
	if !isField || !field.Exported() {
		return boolConstant(false)
	}
	if len(r.guards) == 0 {
		return boolConstant(true)
	}
	return negation(anyNil(r.guards, nil))
}

// inRange compares with both ends of a range.
func (c *compiler) inRange(n, rng *ast.BinaryNode, l *value) *value {
	from, to, ok := c.binaryOperands(rng)
	if l == nil || !ok {
		return nil
	}
	for _, end := range []part{{rng.Left, from}, {rng.Right, to}, {n.Left, l}} {
		if k := end.value.class(); k != integers && k != dynamic && !(k == floats && end.node == n.Left) {
			return c.failf(end.node, "a range is one of integers, not %s", c.describe(end.node, end.value))
		}
	}
	if inProgram(l, from, to) || l.class() != integers || from.fails || to.fails || from.steps || to.steps {
		return c.infixProgram(n, boolType, l, c.rangeProgram(rng, from, to))
	}
	needle := held(l.bare())
	low := c.compareNumbers(rng, "<=", c.strict(rng.Left, from), needle)
	high := c.compareNumbers(rng, "<=", needle, c.strict(rng.Right, to))
	if low == nil || high == nil {
		return nil
	}
	return conditionally(l.guards, c.withHeld(l, infix(boolType, "&&", conjunction, low, high)))
}

// rangeOf is a list of integers.
func (c *compiler) rangeOf(n *ast.BinaryNode) *value {
	from, to, ok := c.binaryOperands(n)
	if !ok {
		return nil
	}
	for _, end := range []part{{n.Left, from}, {n.Right, to}} {
		if k := end.value.class(); k != integers && k != dynamic {
			return c.failf(end.node, "a range is one of integers, not %s", c.describe(end.node, end.value))
		}
	}
	return c.rangeProgram(n, from, to)
}
