package keyexpr

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// timeSum is the type of a sum or difference of times and durations.
func (c *compiler) timeSum(op string, l, r class) types.Type {
	switch {
	case l == times && r == durations, op == "+" && l == durations && r == times:
		return c.timeType("Time")
	case l == durations && r == durations, op == "-" && l == times && r == times:
		return c.timeType("Duration")
	}
	return nil
}

// timeArithmetic is an operator of which one side is no number.
func (c *compiler) timeArithmetic(n *ast.BinaryNode, t types.Type, l, r *value) *value {
	switch {
	case l.class() == times && r.class() == times:
		return c.method(l, "Sub", r)
	case l.class() == times && n.Operator == "-":
		return c.addTo(l, opposite(r))
	case l.class() == times:
		return c.addTo(l, r)
	case r.class() == times:
		return c.addTo(r, l)
	case c.durationOverflows(n, l, r):
		return nil
	case n.Operator == "*":
		return infix(t, "*", product, c.asDuration(l), c.asDuration(r))
	}
	return infix(t, n.Operator, sum, l, r)
}

// durationOverflows reports an operator between constants whose result is no
// duration.
func (c *compiler) durationOverflows(n *ast.BinaryNode, l, r *value) bool {
	if l.val == nil || r.val == nil {
		return false
	}
	val := constant.BinaryOp(constant.ToInt(l.val), foldable[n.Operator], constant.ToInt(r.val))
	if _, exact := constant.Int64Val(val); exact {
		return false
	}
	c.failAt(n, "%s overflows an int64", source(n))
	return true
}

// opposite is a duration with the other sign.
func opposite(v *value) *value {
	w := derive(v.typ, v)
	w.prec, w.simple = unary, v.simple
	w.code = func(b *block) *jen.Statement { return jen.Op("-").Add(v.at(primary)(b)) }
	return w
}

func (c *compiler) asDuration(v *value) *value {
	if v.class() == durations || v.val != nil && isUntyped(v.typ) {
		return v
	}
	duration, inner := c.std("time", "Duration"), v
	w := derive(c.timeType("Duration"), inner)
	w.simple = v.simple
	w.code = func(b *block) *jen.Statement { return duration().Call(inner.code(b)) }
	return w
}

func (c *compiler) addTo(t, d *value) *value {
	v := c.method(t, "Add", d)
	v.typ = t.typ
	return v
}

// method is the call of a method of v that cannot fail.
func (c *compiler) method(v *value, name string, arg *value) *value {
	base := *v
	base.code, base.prec = v.baseOf(), primary
	result := map[string]types.Type{"Sub": c.timeType("Duration"), "Add": v.typ}[name]
	if result == nil {
		result = boolType
	}
	w := derive(result, v, arg)
	w.code = func(b *block) *jen.Statement {
		o := b.operands(&base, arg)
		return o[0].Dot(name).Call(o[1].Statement)
	}
	return w
}

// orderTimes compares times.
func (c *compiler) orderTimes(op string, l, r *value) *value {
	switch op {
	case "<":
		return c.method(l, "Before", r)
	case ">":
		return c.method(l, "After", r)
	case "<=":
		return negation(c.method(l, "After", r))
	}
	return negation(c.method(l, "Before", r))
}

// timeType returns a type of package time.
func (c *compiler) timeType(name string) types.Type {
	if pkg := findPackage("time", []*types.Package{c.scope.Pkg}, map[*types.Package]bool{}); pkg != nil {
		if obj := pkg.Scope().Lookup(name); obj != nil {
			return obj.Type()
		}
	}
	return unusedTime[name]
}

// unusedTime stands for the types of package time where no package that the
// user's code imports has a value of theirs.
var unusedTime = map[string]types.Type{
	"Time":     stand("Time", types.NewStruct(nil, nil)),
	"Duration": stand("Duration", types.Typ[types.Int64]),
}

var standPackage = types.NewPackage("time", "time")

func stand(name string, underlying types.Type) types.Type {
	return types.NewNamed(types.NewTypeName(token.NoPos, standPackage, name, nil), underlying, nil)
}

// findPackage looks for a package among those that some import, the nearest
// first.
func findPackage(path string, level []*types.Package, seen map[*types.Package]bool) *types.Package {
	var next []*types.Package
	for _, pkg := range level {
		if pkg.Path() == path {
			return pkg
		}
		if !seen[pkg] {
			seen[pkg] = true
			next = append(next, pkg.Imports()...)
		}
	}
	if next = slices.DeleteFunc(next, func(p *types.Package) bool { return seen[p] }); len(next) == 0 {
		return nil
	}
	return findPackage(path, next, seen)
}
