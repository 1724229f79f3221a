package keyexpr

import (
	"go/types"
)

var (
	stringSignature = types.NewSignatureType(nil, nil, nil, nil,
		types.NewTuple(types.NewVar(0, nil, "", stringType)), false)
	errorType = types.Universe.Lookup("error").Type()
)

// stringer reports whether the text of v is that of its String method. The
// method is hidden when it needs the address of v, which has none.
func (c *compiler) stringer(v *value) (ok, hidden bool) {
	if isUntyped(v.typ) {
		return false, false
	}
	ok = stringMethod(v.typ, v.addressable) != nil
	return ok, !ok && stringMethod(v.typ, true) != nil
}

// stringMethod returns the method that makes a value of type t, which may be
// addressable, a fmt.Stringer.
func stringMethod(t types.Type, addressable bool) *types.Func {
	return methodOf(t, addressable, "String", stringSignature)
}

func methodOf(t types.Type, addressable bool, name string, signature *types.Signature) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(t, addressable, nil, name)
	method, ok := obj.(*types.Func)
	if !ok || signature != nil && !types.Identical(method.Type(), signature) {
		return nil
	}
	return method
}

// hasNoText reports whether t is of a kind that has no text in spite of its
// String method or underlying type.
func hasNoText(t types.Type) bool {
	return isTime(t) || isError(t) || isProto(t)
}

// isTime reports whether t is a time.Time, or has its methods.
func isTime(t types.Type) bool {
	method := stringMethod(t, true)
	return method != nil && method.FullName() == "(time.Time).String"
}

func isError(t types.Type) bool {
	return methodOf(t, true, "Error", stringSignature) != nil
}

// isProto reports whether t is a protobuf message, whose String method is
// documented not to be stable.
func isProto(t types.Type) bool {
	return methodOf(t, true, "ProtoReflect", nil) != nil || methodOf(t, true, "ProtoMessage", nil) != nil
}
