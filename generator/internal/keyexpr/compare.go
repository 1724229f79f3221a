package keyexpr

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// equality is "==" or "!=".
func (c *compiler) equality(n *ast.BinaryNode) *value {
	l, r := c.eval(n.Left), c.eval(n.Right)
	if l == nil || r == nil {
		return nil
	}
	v := c.equal(n, l, r)
	if v == nil || n.Operator == "==" {
		return v
	}
	if !v.native() {
		return c.prefixProgram("!", boolType, v)
	}
	v = negation(v)
	v.literal = false
	return v
}

// equal is what expr calls equal: numbers of any two types may be, and nil is
// equal to nothing else.
func (c *compiler) equal(n *ast.BinaryNode, left, right *value) *value {
	if isNil(left.typ) {
		left, right = right, left
		if isNil(left.typ) {
			return boolConstant(true)
		}
	}
	if isNil(right.typ) {
		return c.equalNil(n, left)
	}
	l, r := c.operand(n.Left, left), c.operand(n.Right, right)
	if l == nil || r == nil {
		return nil
	}
	switch {
	case !areComparable(l, r):
		return c.mismatch(n)
	case inProgram(l, r) || len(l.guards) > 0 && len(r.guards) > 0:
		return c.equalProgram(n, left, right)
	}
	v := c.whereThere(l, r, func(l, r *value) *value { return c.same(n, l, r) })
	if v != nil && !v.native() {
		return c.equalProgram(n, left, right)
	}
	return v
}

// whereThere is a comparison of two values of which one may be nil: it is
// false then. The other is evaluated in any case.
func (c *compiler) whereThere(l, r *value, compare func(l, r *value) *value) *value {
	other := l
	if len(l.guards) > 0 {
		other = r
	}
	if len(l.guards)+len(r.guards) == 0 || !other.fails && !other.steps {
		v := compare(l.bare(), r.bare())
		if v == nil || !v.native() {
			return v
		}
		return conditionally(slices.Concat(l.guards, r.guards), v)
	}
	first := forced(other)
	var v *value
	if other == l {
		v = compare(held(first), r.bare())
	} else {
		v = compare(l.bare(), held(first))
	}
	if v == nil || !v.native() {
		return v
	}
	return c.withHeld(first, conditionally(slices.Concat(l.guards, r.guards), v))
}

// forced is a value that hold writes to a variable, lest it be evaluated in
// some cases only.
func forced(v *value) *value {
	w := *v
	w.simple = false
	return &w
}

func areComparable(l, r *value) bool {
	switch x, y := l.class(), r.class(); {
	case x == dynamic || y == dynamic:
		return true
	case isNumber(l) && isNumber(r):
		return true
	case x == texts || x == bools || x == durations || x == times || x == lists || x == dicts:
		return x == y
	}
	return types.Identical(l.typ, r.typ)
}

// same is the comparison of two values that are there; it has no code where
// only a program compares such values.
func (c *compiler) same(n *ast.BinaryNode, l, r *value) *value {
	switch l.class() {
	case integers, floats:
		return c.compareNumbers(n, "==", l, r)
	case texts, bools:
		if l.literal && r.literal {
			return boolLiteral(l.val.ExactString() == r.val.ExactString())
		}
		if l, r = c.alike(n, l, r); l == nil {
			return nil
		}
		return comparisonOf("==", l, r)
	case durations:
		return comparisonOf("==", l, r)
	case times:
		return c.method(l, "Equal", r)
	}
	switch {
	case types.Identical(l.typ, r.typ) && comparesAsWhole(l.typ):
		return comparisonOf("==", l, r)
	case l.class() == lists:
		return c.sameLists(l, r)
	}
	return &value{}
}

// comparesAsWhole reports whether Go's comparison of two arrays or structs is
// expr's: there is nothing in them but basic values.
func comparesAsWhole(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsConstType != 0 && u.Info()&types.IsUntyped == 0
	case *types.Array:
		return comparesAsWhole(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if field.Name() == "_" || !comparesAsWhole(field.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// comparisonOf is a comparison of Go's.
func comparisonOf(op string, l, r *value) *value {
	v := infix(boolType, op, comparison, l, r)
	if opposite := map[string]string{"==": "!=", "!=": "=="}[op]; opposite != "" {
		v.negated = &form{code: infix(boolType, opposite, comparison, l, r).code, prec: comparison}
	}
	return v
}

// alike makes strings or bools of different types comparable.
func (c *compiler) alike(n *ast.BinaryNode, l, r *value) (*value, *value) {
	if types.Identical(l.typ, r.typ) || l.val != nil && isUntyped(l.typ) || r.val != nil && isUntyped(r.typ) {
		return l, r
	}
	convert := c.asString
	if l.class() == bools {
		convert = c.asBool
	}
	x, y, ok := pair(n, l, r, convert)
	if !ok {
		return nil, nil
	}
	return x, y
}

// sameLists compares slices whose elements Go compares as expr does.
func (c *compiler) sameLists(l, r *value) *value {
	x, ok := l.typ.(*types.Slice)
	if !ok || l.program != nil || r.program != nil || !types.Identical(l.typ, r.typ) || isNamed(x.Elem()) {
		return &value{}
	}
	if k := classOf(x.Elem()); k != integers && k != floats && k != texts || basic(x.Elem()).Kind() == types.Uintptr {
		return &value{}
	}
	return invoked(boolType, c.std("slices", "Equal"), l, r)
}

// equalNil compares with nil.
func (c *compiler) equalNil(n *ast.BinaryNode, v *value) *value {
	node := n.Left
	if isNil(c.seen[n.Left].typ) {
		node = n.Right
	}
	if !v.native() || v.class() == dynamic {
		return c.equalProgram(n, v, c.nilValue())
	}
	w := c.pointee(node, v)
	if len(w.guards) == 0 && !nilable(w.typ) {
		return c.failf(node, "%s is never nil", c.describe(node, v))
	}
	if isDynamic(w.typ) {
		return c.equalProgram(n, v, c.nilValue())
	}
	guards := w.guards
	if nilable(w.typ) {
		return anyNil(append(slices.Clone(guards), &guard{value: w.bare(), source: source(node)}), nil)
	}
	return anyNil(guards, w.bare())
}

// anyNil is true where one of the guards does not hold. What they lead to is
// evaluated, for that may fail.
func anyNil(guards []*guard, to *value) *value {
	v := derive(boolType)
	if to != nil && to.fails {
		v.add(to.traits)
		v.steps = true
		v.code = func(b *block) *jen.Statement {
			name := b.let("none", jen.True())
			open(b, guards, func(in *block) {
				in.set("_", to.code(in))
				in.set(name, jen.False())
			})
			return jen.Id(name)
		}
		return v
	}
	for _, g := range guards {
		v.add(g.value.traits)
	}
	if plain(guards) && !anyGuardSteps(guards) || len(guards) == 1 && guards[0].lookup == nil {
		v.prec = disjunction
		v.negated = &form{code: func(b *block) *jen.Statement { return holds(b, guards, "!=", "&&") }, prec: conjunction}
		if len(guards) == 1 {
			v.prec, v.negated.prec = comparison, comparison
		}
		v.code = func(b *block) *jen.Statement { return holds(b, guards, "==", "||") }
		return v
	}
	v.steps = true
	v.code = func(b *block) *jen.Statement {
		name := b.let("none", jen.True())
		open(b, tested(guards), func(in *block) { in.set(name, jen.False()) })
		return jen.Id(name)
	}
	return v
}

// tested are guards of which the last one is only asked whether it holds: what
// it finds is of no use.
func tested(guards []*guard) []*guard {
	last := len(guards) - 1
	if guards[last].lookup == nil {
		return guards
	}
	unread := *guards[last]
	unread.unread = true
	return append(slices.Clone(guards[:last]), &unread)
}

// ordering is "<", "<=", ">" or ">=".
func (c *compiler) ordering(n *ast.BinaryNode) *value {
	l, r, ok := c.binaryOperands(n)
	if !ok {
		return nil
	}
	switch {
	case !ordered(l.class(), r.class()):
		return c.failAt(n, "the operator %s compares numbers, strings or times, not %s and %s",
			n.Operator, c.describe(n.Left, l), c.describe(n.Right, r))
	case inProgram(l, r):
		return c.infixProgram(n, boolType, l, r)
	}
	l, r = c.strictPair(n, l, r)
	switch l.class() {
	case integers, floats:
		return c.compareNumbers(n, n.Operator, l, r)
	case times:
		return c.orderTimes(n.Operator, l, r)
	case texts:
		if l, r = c.alike(n, l, r); l == nil {
			return nil
		}
	}
	return comparisonOf(n.Operator, l, r)
}

func ordered(l, r class) bool {
	number := func(k class) bool { return k == integers || k == floats }
	one := func(k class) bool { return number(k) || k == texts || k == durations || k == times }
	switch {
	case l == dynamic:
		return one(r) || r == dynamic
	case r == dynamic:
		return one(l)
	case number(l):
		return number(r)
	}
	return l == r && one(l)
}

// compareNumbers compares integers as int, and as floats where one of them is
// a float.
func (c *compiler) compareNumbers(n *ast.BinaryNode, op string, l, r *value) *value {
	switch {
	case l.literal && r.literal:
		v := boolConstant(compareConstants(op, l, r))
		v.literal = op == "==" && l.class() == integers && r.class() == integers
		return v
	case comparesAsIs(op, l, r):
		return comparisonOf(op, l, r)
	}
	convert := c.asInt
	if l.class() == floats || r.class() == floats {
		convert = c.asFloat
	}
	x, y, ok := pair(n, l, r, convert)
	if ok && (l.class() == floats || r.class() == floats) {
		x, ok = c.typedFloat(n.Left, x, y)
	}
	if !ok {
		return nil
	}
	return comparisonOf(op, x, y)
}

// comparesAsIs reports whether Go's comparison of both types is expr's, for
// which the integers of 64 bits without a sign have one.
func comparesAsIs(op string, l, r *value) bool {
	if l.val != nil {
		l, r = r, l
	}
	t := l.typ
	if basic(t) == nil || isUntyped(t) {
		return false
	}
	if r.val != nil && isUntyped(r.typ) {
		exact := sameClass(r.typ, t) && basic(t).Kind() != types.Float32
		if !exact || !fits(r.val, t) {
			return false
		}
	} else if !types.Identical(t, r.typ) {
		return false
	}
	return op == "==" || !isWide(l)
}

func compareConstants(op string, l, r *value) bool {
	var order int
	if l.class() == integers && r.class() == integers {
		x, _ := integerConst(l)
		y, _ := integerConst(r)
		order = cmp.Compare(x, y)
	} else {
		order = cmp.Compare(floatConst(l), floatConst(r))
	}
	switch op {
	case "==":
		return order == 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}
