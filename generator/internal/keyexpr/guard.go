package keyexpr

import (
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// guard is what makes a value nil: that there is nothing on the way to it.
type guard struct {
	value  *value // the pointer, map or slice that must not be nil; of a lookup, what it finds
	lookup code   // a map's element, whose second result tells whether there is one
	unread bool   // of a lookup: nobody asks for what it finds
	panics bool   // without the guard the code panics where the value is nil
	source string
}

// plain reports whether the guard is a condition and no more.
func (g *guard) plain() bool { return g.lookup == nil && g.value.simple }

func plain(guards []*guard) bool {
	for _, g := range guards {
		if !g.plain() {
			return false
		}
	}
	return true
}

// guarded returns v with guards before its own.
func (v *value) guarded(guards []*guard) *value {
	if len(guards) == 0 {
		return v
	}
	w := *v
	w.guards = append(append([]*guard(nil), guards...), v.guards...)
	for _, g := range guards {
		if !g.plain() || g.value.steps {
			w.steps = true
		}
		w.add(g.value.traits)
	}
	return &w
}

// bare returns v without its guards, for where they hold.
func (v *value) bare() *value {
	if v.guards == nil {
		return v
	}
	w := *v
	w.guards = nil
	return &w
}

// holds is the condition of plain guards, joined by op after their
// comparison, which is "!=" or "==", with nil.
func holds(b *block, guards []*guard, compare, op string) *jen.Statement {
	all := &jen.Statement{}
	for i, g := range guards {
		if i > 0 {
			all.Op(op)
		}
		all.Add(g.value.at(product)(b)).Op(compare).Nil()
	}
	return all
}

// open calls inside with the block in which the guards hold.
func open(b *block, guards []*guard, inside func(b *block)) {
	if len(guards) == 0 {
		inside(b)
		return
	}
	n := 0
	for n < len(guards) && guards[n].plain() {
		n++
	}
	if n > 0 {
		b.If(holds(b, guards[:n], "!=", "&&")).BlockFunc(func(g *jen.Group) { open(b.child(g), guards[n:], inside) })
		return
	}
	guards[0].enter(b, func(b *block) { open(b, guards[1:], inside) })
}

// enter writes what a guard is about to a variable and tests it.
func (g *guard) enter(b *block, inside func(b *block)) {
	name := "_"
	if !g.unread {
		name = b.local(g.value.hint)
	}
	found := jen.Id(name).Op(":=").Add(g.value.code0(b))
	test := jen.Id(name).Op("!=").Nil()
	if g.lookup != nil {
		ok := b.local("ok")
		found = jen.List(jen.Id(name), jen.Id(ok)).Op(":=").Add(g.lookup(b))
		test = jen.Id(ok)
	}
	b.If(found, test).BlockFunc(func(group *jen.Group) {
		inner := b.child(group)
		inner.held[g.value.self] = jen.Id(name)
		inside(inner)
	})
}

// code0 is the code of a guard's value, nothing for a lookup.
func (v *value) code0(b *block) *jen.Statement {
	if v.code == nil {
		return jen.Null()
	}
	return v.code(b)
}

// insist leaves the function where the guard does not hold.
func (g *guard) insist(b *block) {
	missing := b.fail(jen.Qual("errors", "New").Call(jen.Lit(g.source + " is nil")))
	if g.lookup != nil {
		name, ok := b.local(g.value.hint), b.local("ok")
		b.define(g.lookup(b), name, ok)
		b.If(jen.Op("!").Id(ok)).Block(missing)
		b.held[g.value.self] = jen.Id(name)
		return
	}
	b.hold(g.value)
	b.If(held(g.value).code(b).Op("==").Nil()).Block(missing)
}

// strict returns v for where nil is an error.
func (c *compiler) strict(node ast.Node, v *value) *value {
	if v == nil || v.guards == nil {
		return c.loweredOnce(node, v)
	}
	c.std("errors", "New")
	guards, strict := v.guards, *v
	strict.guards, strict.direct, strict.fails = nil, nil, true
	if !slices.ContainsFunc(guards, func(g *guard) bool { return !g.panics }) {
		if v.direct != nil {
			strict.code, strict.prec, strict.steps = v.direct.code, v.direct.prec, v.direct.steps
			return &strict
		}
		if plain(guards) {
			return &strict
		}
	}
	inside := v.code
	strict.steps, strict.simple = true, false
	strict.code = func(b *block) *jen.Statement {
		for _, g := range guards {
			g.insist(b)
		}
		return inside(b)
	}
	return &strict
}

// loweredOnce is lowered for what may be nil or is of a narrow type: the
// value is a node's.
func (c *compiler) loweredOnce(node ast.Node, v *value) *value {
	if v == nil || v.native() {
		return v
	}
	return c.lowered(node, v)
}

// pointee returns what a pointer points to, nil where it is nil.
func (c *compiler) pointee(node ast.Node, v *value) *value {
	for {
		p, ok := v.typ.Underlying().(*types.Pointer)
		if !ok || typeParam(v.typ) != nil {
			return v
		}
		if !v.native() {
			elem := *v
			elem.typ, elem.orNil = p.Elem(), true
			v = &elem
			continue
		}
		v = c.dereferenced(node, v, p.Elem())
	}
}

func (c *compiler) dereferenced(node ast.Node, v *value, elem types.Type) *value {
	base := held(v.bare())
	star := derive(elem, v)
	star.code = func(b *block) *jen.Statement { return jen.Op("*").Add(base.at(primary)(b)) }
	star.prec, star.addressable, star.hint, star.simple = unary, true, v.hint, true
	star.base = base.code
	if len(v.guards) == 0 && !v.simple {
		code := func(b *block) *jen.Statement { return jen.Op("*").Add(v.at(primary)(b)) }
		star.direct = &form{code, unary, v.steps}
	}
	g := &guard{value: v.bare(), panics: true, source: source(node)}
	return star.guarded(append(append([]*guard(nil), v.guards...), g))
}
