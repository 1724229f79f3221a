package keyexpr

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
)

// sizes are those of 64-bit machines.
var sizes = types.SizesFor("gc", "amd64")

// writable reports whether the package can write a type: it and those that it
// is made of are its own, or exported by a package that it imports.
func (c *compiler) writable(t types.Type) bool {
	can := true
	types.TypeString(t, func(p *types.Package) string {
		can = can && (p == c.scope.Pkg || slices.Contains(c.scope.Pkg.Imports(), p))
		return ""
	})
	return can && !c.hasHidden(t, make(map[types.Type]bool))
}

// hasHidden reports whether a type that another package does not export is
// part of t.
func (c *compiler) hasHidden(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.(type) {
	case interface{ Obj() *types.TypeName }: // named, alias, type parameter
		obj := u.Obj()
		return obj.Pkg() != nil && obj.Pkg() != c.scope.Pkg && !obj.Exported() && obj.Parent() == obj.Pkg().Scope()
	case interface{ Elem() types.Type }:
		if m, ok := t.(*types.Map); ok && c.hasHidden(m.Key(), seen) {
			return true
		}
		return c.hasHidden(u.Elem(), seen)
	}
	return false
}

// representable reports whether an untyped constant may stand where a value
// of type to is wanted.
func representable(arg *value, to types.Type) bool {
	if types.IsInterface(to) {
		return typeParam(to) == nil && types.AssignableTo(types.Default(arg.typ), to) && fits(arg.val, types.Default(arg.typ))
	}
	return fits(arg.val, to)
}

// fits reports whether a constant is a value of a type that is based on a
// predeclared one.
func fits(val constant.Value, to types.Type) bool {
	switch {
	case is(to, types.IsString):
		return val.Kind() == constant.String
	case is(to, types.IsBoolean):
		return val.Kind() == constant.Bool
	case is(to, types.IsInteger):
		return fitsInteger(constant.ToInt(val), basic(to))
	case is(to, types.IsFloat|types.IsComplex):
		return fitsFloat(constant.ToFloat(val), basic(to))
	}
	return false
}

func fitsFloat(val constant.Value, to *types.Basic) bool {
	if val.Kind() != constant.Float {
		return false
	}
	f, _ := constant.Float64Val(val)
	if to.Kind() == types.Float32 || to.Kind() == types.Complex64 {
		f32, _ := constant.Float32Val(val)
		f = float64(f32)
	}
	return !math.IsInf(f, 0)
}

func fitsInteger(val constant.Value, to *types.Basic) bool {
	if val.Kind() != constant.Int {
		return false
	}
	if to.Info()&types.IsUntyped != 0 {
		return true
	}
	bits := int(8 * sizes.Sizeof(to))
	if to.Info()&types.IsUnsigned != 0 {
		return constant.Sign(val) >= 0 && constant.BitLen(val) <= bits
	}
	if constant.Sign(val) < 0 {
		val = constant.BinaryOp(val, token.ADD, constant.MakeInt64(1))
	}
	return constant.BitLen(val) < bits
}
