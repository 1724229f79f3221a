package keyexpr

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// branch is a choice between values: the first whose condition holds, else
// the last.
type branch struct {
	cases []branchCase
	last  part
	whole *value // of all conditions together
}

// part is a value with the node that it comes from.
type part struct {
	node  ast.Node
	value *value
}

// branchCase is a value that is taken when cond is true or, without one, when
// its guards hold.
type branchCase struct {
	cond   *value
	guards []*guard
	part
}

func (b *branch) parts() []part {
	var all []part
	for _, c := range b.cases {
		all = append(all, c.part)
	}
	return append(all, b.last)
}

// expression reports whether the condition is an expression and no more.
func (c *branchCase) expression() bool {
	if c.cond != nil {
		return !c.cond.steps
	}
	return plain(c.guards)
}

func (c *branchCase) test(b *block) *jen.Statement {
	if c.cond != nil {
		return c.cond.code(b)
	}
	return holds(b, c.guards, "!=", "&&")
}

// write calls each with the number of a case and the block that is reached
// where that case is taken, and so for the last resort if last is set.
func (b *branch) write(to *block, last bool, each func(b *block, i int)) {
	w := &branchWriter{branch: b, each: each, n: len(b.cases)}
	if last {
		w.n++
	}
	w.from(0, to)
}

type branchWriter struct {
	*branch
	each func(b *block, i int)
	n    int // of cases to write, the last resort included
}

func (w *branchWriter) from(i int, to *block) {
	switch {
	case i == w.n:
	case i == len(w.cases):
		w.each(to, i)
	case w.cases[i].cond == nil && !w.cases[i].expression():
		w.nested(i, to)
	default:
		to.If(w.cases[i].test(to)).BlockFunc(w.taken(i, to)).Add(w.otherwise(i+1, to))
	}
}

func (w *branchWriter) taken(i int, to *block) func(*jen.Group) {
	return func(g *jen.Group) { w.each(to.child(g), i) }
}

// otherwise is the else of an if.
func (w *branchWriter) otherwise(i int, to *block) *jen.Statement {
	switch {
	case i == w.n:
		return jen.Null()
	case i < len(w.cases) && w.cases[i].expression():
		return jen.Else().If(w.cases[i].test(to)).BlockFunc(w.taken(i, to)).Add(w.otherwise(i+1, to))
	}
	return jen.Else().BlockFunc(func(g *jen.Group) { w.from(i, to.child(g)) })
}

// nested writes a case that conditions lead to of which one is inside of the
// other, and the rest for when they do not.
func (w *branchWriter) nested(i int, to *block) {
	if i+1 == w.n {
		open(to, w.cases[i].guards, func(in *block) { w.each(in, i) })
		return
	}
	done := to.let("done", jen.False())
	open(to, w.cases[i].guards, func(in *block) {
		w.each(in, i)
		in.Id(done).Op("=").True()
	})
	to.If(jen.Op("!").Id(done)).BlockFunc(func(g *jen.Group) { w.from(i+1, to.child(g)) })
}

// returns is write for an each that leaves the function.
func (b *branch) returns(to *block, each func(b *block, i int)) {
	for i := range b.cases {
		c := &b.cases[i]
		if c.cond == nil {
			open(to, c.guards, func(inner *block) { each(inner, i) })
			continue
		}
		to.If(c.cond.code(to)).BlockFunc(func(g *jen.Group) { each(to.child(g), i) })
	}
	each(to, len(b.cases))
}

// choice returns the value of a branch whose parts are all of type t, each
// converted by convert.
func (c *compiler) choice(t types.Type, b *branch, convert func(ast.Node, *value) *value) *value {
	var values []*value
	for _, p := range b.parts() {
		v := convert(p.node, p.value)
		if v == nil {
			return nil
		}
		values = append(values, v)
	}
	v := derive(t, append(values, b.whole)...)
	v.steps, v.fresh, v.branch, v.hint, v.chooses, v.chosen = true, true, b, "choice", b, values
	v.code = func(to *block) *jen.Statement {
		name := to.local(v.hint)
		b.assign(to, name, t, values)
		return jen.Id(name)
	}
	return v
}

// assign declares a variable with the value that is chosen.
func (b *branch) assign(to *block, name string, t types.Type, values []*value) {
	last := values[len(b.cases)]
	first := last.simple && !last.fails
	if first {
		to.Add(declared(name, t, last, last.code(to)))
	} else {
		to.Var().Id(name).Add(typeCode(t))
	}
	b.write(to, !first, func(in *block, i int) { in.set(name, values[i].code(in)) })
}

// declared declares a variable of type t.
func declared(name string, t types.Type, v *value, value *jen.Statement) *jen.Statement {
	if isUntyped(v.typ) && !types.Identical(types.Default(v.typ), t) || isNil(v.typ) {
		return jen.Var().Id(name).Add(typeCode(t)).Op("=").Add(value)
	}
	return jen.Id(name).Op(":=").Add(value)
}

// conditional is "a ? b : c".
func (c *compiler) conditional(n *ast.ConditionalNode) *value {
	cond := c.condition(n.Cond)
	then, otherwise := c.eval(n.Exp1), c.eval(n.Exp2)
	if cond == nil || then == nil || otherwise == nil {
		return nil
	}
	if !cond.native() {
		return c.conditionalProgram(n, cond, then, otherwise)
	}
	b := &branch{
		cases: []branchCase{{cond: cond, part: part{n.Exp1, then}}},
		last:  part{n.Exp2, otherwise},
		whole: cond,
	}
	return c.chosen(b, func() *value { return c.conditionalProgram(n, cond, then, otherwise) })
}

// chosen is the value of a branch. Where its parts have no type in common, a
// program chooses; its text is had without one.
func (c *compiler) chosen(b *branch, inProgram func() *value) *value {
	t, convert := c.common(b.parts())
	if t != nil {
		return c.choice(t, b, convert)
	}
	v := inProgram()
	if v != nil {
		w := *v
		v = &w
		v.branch = b
	}
	return v
}

// condition is a value that must be true or false.
func (c *compiler) condition(node ast.Node) *value {
	v := c.operand(node, c.eval(node))
	switch {
	case v == nil:
		return nil
	case v.class() != bools && v.class() != dynamic:
		return c.failf(node, "the condition %s is not true or false", c.describe(node, v))
	case inProgram(v):
		return c.toProgram(node, v)
	}
	return c.asBool(node, c.strict(node, v))
}

// common returns the type that values have in common, and how they become
// one of it.
func (c *compiler) common(parts []part) (types.Type, func(ast.Node, *value) *value) {
	t, same := parts[len(parts)-1].value.typ, true
	k := classOf(t)
	for _, p := range parts {
		v := p.value
		if v.guards != nil || !v.native() {
			return nil, nil
		}
		same = same && types.Identical(v.typ, t)
		if v.class() != k {
			k = other
		}
	}
	switch {
	case same && !isUntyped(t):
		if !c.writable(t) {
			return nil, nil
		}
		return t, func(_ ast.Node, v *value) *value { return v }
	case k == other && nilable(t) || k == null:
		return c.commonNil(parts)
	case slices.ContainsFunc(parts, func(p part) bool { return typeParam(p.value.typ) != nil || stringMethod(p.value.typ, true) != nil }):
		return nil, nil // as one type they would lose their texts
	}
	if named := c.namedOf(parts); named != nil {
		return named, func(_ ast.Node, v *value) *value { return v }
	}
	switch k {
	case integers, floats:
		return c.commonNumber(parts, k)
	case texts:
		return stringType, c.asString
	case bools:
		return boolType, c.asBool
	}
	return c.commonNil(parts)
}

// isWide reports whether an int cannot hold all values of v's type.
func isWide(v *value) bool {
	return !isUntyped(v.typ) && is(v.typ, types.IsUnsigned) && sizes.Sizeof(v.typ) == 8
}

// commonNumber is the common type of numbers that differ in nothing but its
// name: a narrow one shows by what its negation is, for example.
func (c *compiler) commonNumber(parts []part, k class) (types.Type, func(ast.Node, *value) *value) {
	for _, p := range parts {
		if t := p.value.typ; !isUntyped(t) && (sizes.Sizeof(t) < 8 || isWide(p.value)) {
			return nil, nil
		}
	}
	if k == floats {
		return floatType, c.asFloat
	}
	return intType, c.asInt
}

// namedOf returns the one type that strings or bools have, if all constants
// can be of it.
func (c *compiler) namedOf(parts []part) types.Type {
	var t types.Type
	for _, p := range parts {
		if v := p.value; !isUntyped(v.typ) {
			if t != nil && !types.Identical(t, v.typ) {
				return nil
			}
			t = v.typ
		}
	}
	if t == nil || !is(t, types.IsString|types.IsBoolean) || !c.writable(t) {
		return nil
	}
	for _, p := range parts {
		if v := p.value; isUntyped(v.typ) && (v.val == nil || v.class() != classOf(t)) {
			return nil
		}
	}
	return t
}

// asInteger returns a choice between integers of several types as one of
// type int, for operators that take all of them as such.
func (c *compiler) asInteger(v *value) *value {
	if v == nil || v.branch == nil || v.native() {
		return v
	}
	for _, p := range v.branch.parts() {
		if p.value.class() != integers || !p.value.native() || len(p.value.guards) > 0 || isWide(p.value) {
			return v
		}
	}
	return c.choice(intType, v.branch, c.asInt)
}

// commonNil returns the one type that all parts have which are not nil.
func (c *compiler) commonNil(parts []part) (types.Type, func(ast.Node, *value) *value) {
	var t types.Type
	for _, p := range parts {
		v := p.value
		switch {
		case isNil(v.typ):
		case t == nil:
			t = v.typ
		case !types.Identical(t, v.typ):
			return nil, nil
		}
	}
	if t == nil || !nilable(t) || !c.writable(t) {
		return nil, nil
	}
	return t, func(_ ast.Node, v *value) *value { return v }
}
