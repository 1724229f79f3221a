package keyexpr

import (
	"go/types"

	"github.com/expr-lang/expr/ast"
)

// holdsAddress reports whether the text that fmt has for a value of type t holds
// an address, so that no two values have the same: below the value itself that is
// how it writes pointers. What an interface holds is not known.
func holdsAddress(t types.Type, below bool, seen map[types.Type]bool) bool {
	if seen[t] || methodOf(t, false, "String", stringSignature) != nil || methodOf(t, false, "Error", stringSignature) != nil {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return below || holdsAddress(u.Elem(), false, seen)
	case *types.Slice:
		return holdsAddress(u.Elem(), true, seen)
	case *types.Array:
		return holdsAddress(u.Elem(), true, seen)
	case *types.Map:
		return holdsAddress(u.Key(), true, seen) || holdsAddress(u.Elem(), true, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if holdsAddress(u.Field(i).Type(), true, seen) {
				return true
			}
		}
	}
	return false
}

// stable refuses a text for v that would never be the same again.
func (c *compiler) stable(node ast.Node, v *value) *value {
	if v == nil || isNil(v.typ) || typeParam(v.typ) != nil || !holdsAddress(v.typ, false, map[types.Type]bool{}) {
		return v
	}
	return c.failf(node, "string() of %s would hold an address, so that no two calls share a key: %s",
		c.describe(node, v), c.wayOut(sourceOperand(node), v))
}
