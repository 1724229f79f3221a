package keyexpr

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// member returns the value of a field, a method or what a package exports.
func (c *compiler) member(n *ast.MemberNode) *value {
	property, named := n.Property.(*ast.StringNode)
	if !named || c.indexed(n) {
		return c.notYet(n, "an index is")
	}
	var base *value
	if id, ok := n.Node.(*ast.IdentifierNode); ok {
		base = c.identifier(id)
	} else {
		base = c.eval(n.Node)
	}
	switch {
	case base == nil:
		return nil
	case base.pkg != nil:
		return c.exported(n, base.pkg, property.Value)
	}
	return c.selected(n, base, property.Value)
}

// indexed reports whether a member is written x["name"], which the parser
// makes the same node of as x.name.
func (c *compiler) indexed(n *ast.MemberNode) bool {
	return strings.HasPrefix(c.src[c.offset(n.Location()):], "[")
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
	obj, index, indirect := types.LookupFieldOrMethod(base.typ, base.addressable, c.scope.Pkg, name)
	if obj == nil {
		return c.noMember(n, base, name, index, indirect)
	}
	code := c.baseOf(base)
	v := &value{typ: obj.Type(), code: func() *jen.Statement { return code().Dot(name) }}
	if _, field := obj.(*types.Var); field {
		v.addressable = base.addressable || indirect
		c.canFail = c.canFail || indirect
	}
	return c.typed(n, v)
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
