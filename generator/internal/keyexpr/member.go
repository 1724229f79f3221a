package keyexpr

import (
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// member returns the value of a field, a method, what a package exports, or
// an element.
func (c *compiler) member(n *ast.MemberNode) *value {
	property, named := n.Property.(*ast.StringNode)
	if !named {
		return c.index(n)
	}
	var base *value
	if id, ok := n.Node.(*ast.IdentifierNode); ok && !c.indexed(n) && c.scope.isPackage(id.Value) {
		base = c.identifier(id)
	} else {
		base = c.eval(n.Node)
	}
	switch {
	case base == nil:
		return nil
	case base.pkg != nil:
		return c.exported(n, base.pkg, property.Value)
	case c.indexed(n) && classOf(deref(base.typ)) != structs:
		return c.index(n)
	}
	return c.chained(n, base, property.Value)
}

// indexed reports whether a member is written x["name"], which the parser
// makes the same node of as x.name.
func (c *compiler) indexed(n *ast.MemberNode) bool {
	return strings.HasPrefix(c.src[c.offset(n.Location()):], "[")
}

// chained returns the field or method of a base that may be nil, and is then
// nil too: with "?." before the name, or before one in front of it.
func (c *compiler) chained(n *ast.MemberNode, base *value, name string) *value {
	base, guards := c.opened(n, base)
	v := c.selected(n, base, name)
	if v == nil || !v.native() {
		return v
	}
	if last := len(guards) - 1; n.Optional && last >= 0 && v.method != nil {
		guards[last].panics = false
	}
	return v.guarded(guards)
}

// opened returns a base of which something is selected without its guards,
// which "?." adds one to.
func (c *compiler) opened(n *ast.MemberNode, base *value) (*value, []*guard) {
	guards, base := slices.Clone(base.guards), base.bare()
	if !n.Optional || !base.native() || !nilable(base.typ) || isDynamic(base.typ) || base.list != nil {
		return base, guards
	}
	_, pointer := base.typ.Underlying().(*types.Pointer)
	g := &guard{value: base, panics: pointer, source: source(n.Node)}
	inner := *held(base)
	inner.nonNil = true
	return &inner, append(guards, g)
}

func (c *compiler) exported(n *ast.MemberNode, pkg *types.Package, name string) *value {
	obj := pkg.Scope().Lookup(name)
	if obj != nil && obj.Exported() {
		return c.object(n, obj)
	}
	off := c.offset(n.Location())
	if obj != nil {
		c.problem(off, "%s is not exported by package %s", name, pkg.Name())
		return nil
	}
	c.problem(off, "package %s has no %s%s", pkg.Name(), name, suggest.DidYouMean(name, valueNames(pkg, true)))
	return nil
}

// selected returns the field or method of base.
func (c *compiler) selected(n *ast.MemberNode, base *value, name string) *value {
	if !base.native() {
		return c.memberProgram(n, base, name)
	}
	obj, index, indirect := types.LookupFieldOrMethod(base.typ, base.addressable, c.scope.Pkg, name)
	switch {
	case obj != nil:
	case classOf(deref(base.typ)) == dicts:
		return c.elementOf(n, base, c.pointee(n.Node, base), c.eval(n.Property))
	case isDynamic(base.typ) && !n.Method:
		return c.memberProgram(n, base, name)
	default:
		return c.noMember(n, base, name, index, indirect)
	}
	code := base.baseOf()
	v := derive(obj.Type(), base)
	v.code, v.hint, v.simple = func(b *block) *jen.Statement { return code(b).Dot(name) }, hintOf(n), base.simple
	switch obj := obj.(type) {
	case *types.Var:
		v.addressable = base.addressable || indirect
		v.fails = v.fails || indirect && !(base.nonNil && direct(base.typ, index))
		v.caller = base.caller
	case *types.Func:
		v.method = obj
	}
	return c.typed(n, v)
}

// direct reports whether a field is reached without following a pointer that
// is embedded.
func direct(t types.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		s, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return false
		}
		t = s.Field(i).Type()
		if _, pointer := t.Underlying().(*types.Pointer); pointer {
			return false
		}
	}
	return true
}

func (c *compiler) noMember(n *ast.MemberNode, base *value, name string, index []int, indirect bool) *value {
	off := c.offset(n.Location())
	hidden := c.hiddenMember(base.typ, name)
	switch {
	case index != nil:
		c.problem(off, "%s is ambiguous: several embedded fields of %s have it", name, source(n.Node))
	case indirect:
		c.problem(off, "method %s has a pointer receiver, and %s has no address", name, source(n.Node))
	case hidden != nil:
		c.problem(off, "%s is not exported by package %s", name, hidden.Pkg().Name())
	default:
		c.problem(off, "%s has no field or method %s%s", c.describe(n.Node, base), name, suggest.DidYouMean(name, c.memberNames(base.typ)))
	}
	return nil
}

// findMember returns the field or method of t that the package may use.
func (c *compiler) findMember(t types.Type, name string) types.Object {
	obj, _, _ := types.LookupFieldOrMethod(t, true, c.scope.Pkg, name)
	return obj
}

// hiddenMember returns the field or method of t that another package does not
// export.
func (c *compiler) hiddenMember(t types.Type, name string) types.Object {
	named, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), name)
	return obj
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// pointed is what t points to in the end, or t.
func pointed(t types.Type) types.Type {
	for isPointer(t) {
		t = deref(t)
	}
	return t
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok && typeParam(t) == nil
}

func (c *compiler) memberNames(t types.Type) []string {
	var names []string
	for _, obj := range c.members(t) {
		names = append(names, obj.Name())
	}
	return names
}

// members returns the fields and methods of t that the package may use: its
// fields in their order, the promoted ones after them, then the methods.
func (c *compiler) members(t types.Type) []types.Object {
	var found []types.Object
	add := func(obj types.Object) {
		if c.findMember(t, obj.Name()) == obj {
			found = append(found, obj)
		}
	}
	level := []types.Type{t}
	for depth := 0; len(level) > 0 && depth < 4; depth++ {
		var next []types.Type
		for _, t := range level {
			next = append(next, eachField(t, add)...)
		}
		level = next
	}
	methods := types.NewMethodSet(t)
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
		methods = types.NewMethodSet(types.NewPointer(t))
	}
	for selection := range methods.Methods() {
		add(selection.Obj())
	}
	return found
}

// eachField calls add with the fields of t and returns the types of the
// embedded ones.
func eachField(t types.Type, add func(types.Object)) []types.Type {
	s, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var embedded []types.Type
	for field := range s.Fields() {
		add(field)
		if field.Embedded() {
			embedded = append(embedded, field.Type())
		}
	}
	return embedded
}
