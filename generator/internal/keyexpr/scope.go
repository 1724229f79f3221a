package keyexpr

import (
	"go/types"
	"maps"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// has reports whether the user's source gives name a meaning.
func (s *Scope) has(name string) bool {
	_, isVar := s.variable(name)
	return isVar || s.object(name) != nil || s.Imports[name] != nil
}

// isPackage reports whether name is that of an import.
func (s *Scope) isPackage(name string) bool {
	_, isVar := s.variable(name)
	return !isVar && s.object(name) == nil && s.Imports[name] != nil
}

func (s *Scope) variable(name string) (Var, bool) {
	for _, v := range s.Vars {
		if v.Name == name && name != "_" && name != "" {
			return v, true
		}
	}
	return Var{}, false
}

// object returns what name is in the package or in one that the file imports
// into its own scope.
func (s *Scope) object(name string) types.Object {
	if obj := s.Pkg.Scope().Lookup(name); obj != nil {
		return obj
	}
	for _, pkg := range s.DotImports {
		if obj := pkg.Scope().Lookup(name); obj != nil && obj.Exported() {
			return obj
		}
	}
	return nil
}

// names returns all names of the scope but those of types, the nearer ones
// first.
func (s *Scope) names() []string {
	var names []string
	for _, v := range s.Vars {
		if v.Name != "" && v.Name != "_" {
			names = append(names, v.Name)
		}
	}
	names = append(names, valueNames(s.Pkg, false)...)
	for _, pkg := range s.DotImports {
		names = append(names, valueNames(pkg, true)...)
	}
	return append(names, slices.Sorted(maps.Keys(s.Imports))...)
}

// valueNames returns the functions, variables and constants of a package.
func valueNames(pkg *types.Package, exported bool) []string {
	var names []string
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if _, isType := obj.(*types.TypeName); !isType && (obj.Exported() || !exported) {
			names = append(names, name)
		}
	}
	return names
}

// identifier returns the value of a name.
func (c *compiler) identifier(n *ast.IdentifierNode) *value {
	if v, ok := c.scope.variable(n.Value); ok {
		return c.typed(n, c.variable(v))
	}
	if obj := c.scope.object(n.Value); obj != nil {
		return c.object(n, obj)
	}
	if pkg := c.scope.Imports[n.Value]; pkg != nil {
		return &value{pkg: pkg}
	}
	return c.unknown(n, false)
}

func (c *compiler) variable(v Var) *value {
	if !slices.ContainsFunc(c.vars, func(known Var) bool { return known.Name == v.Name }) {
		c.vars = append(c.vars, v)
	}
	w := derive(v.Type)
	w.addressable, w.simple, w.hint = true, true, "value"
	w.caller = !v.Receiver && mayHoldText(v.Type)
	code := func(*block) *jen.Statement { return v.Code() }
	w.code = code
	if v.Pointer {
		w.code = func(*block) *jen.Statement { return jen.Op("*").Add(v.Code()) }
		w.base, w.prec, w.fails = code, unary, true
	}
	return w
}

// mayHoldText reports whether a value of type t may have in it what whoever
// makes the call has written.
func mayHoldText(t types.Type) bool {
	switch classOf(pointed(t)) {
	case integers, floats, bools, durations, times, functions:
		return false
	}
	return !isContext(t)
}

// object returns the value of a package's function, variable or constant.
func (c *compiler) object(node ast.Node, obj types.Object) *value {
	own := obj.Pkg() == c.scope.Pkg
	v := derive(obj.Type())
	v.simple, v.hint = true, "value"
	if v.code = c.objectCode(obj, own); v.code == nil {
		return c.failf(node, "%s is built into Go and no part of expressions", source(node))
	}
	switch obj := obj.(type) {
	case *types.Const:
		v.val = obj.Val()
	case *types.TypeName:
		return c.failf(node, "%s is a type and no value", source(node))
	case *types.Var:
		v.addressable = true
	case *types.Func:
		v.method = obj
		if obj.Signature().TypeParams().Len() > 0 {
			v.generic = obj
		}
	default:
		return c.failf(node, "%s is built into Go and no part of expressions", source(node))
	}
	return c.typed(node, v)
}

func (c *compiler) objectCode(obj types.Object, own bool) code {
	if own {
		c.objects = append(c.objects, obj.Name())
		return func(*block) *jen.Statement { return jen.Id(obj.Name()) }
	}
	if obj.Pkg() == nil {
		return nil
	}
	qual := c.qual(obj.Pkg().Path(), obj.Pkg().Name(), obj.Name())
	return func(*block) *jen.Statement { return qual() }
}

// typed reports a value whose type the user's mistakes leave unknown.
func (c *compiler) typed(node ast.Node, v *value) *value {
	if v != nil && isInvalid(deref(v.typ)) {
		return c.failf(node, "the type of %s is not known, because its declaration does not compile", source(node))
	}
	return v
}

func isInvalid(t types.Type) bool {
	b := basic(t)
	return b != nil && b.Kind() == types.Invalid
}
