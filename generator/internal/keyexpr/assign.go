package keyexpr

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// sizes are those of 64-bit machines.
var sizes = types.SizesFor("gc", "amd64")

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
