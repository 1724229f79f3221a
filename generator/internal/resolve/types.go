package resolve

import (
	"go/types"
	"iter"
	"strings"
	"unicode"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

var errorType = types.Universe.Lookup("error").Type()

// isError reports whether t is error or an interface that has no more than it,
// to which every error can be assigned.
func isError(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return !param && types.Identical(t.Underlying(), errorType.Underlying())
}

func isContext(t types.Type) bool { return isNamed(t, "context", "Context") }

// isRequest reports whether t is a request of net/http, which carries the context
// of the call.
func isRequest(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(pointer.Elem(), "net/http", "Request")
}

func isLimitError(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(pointer.Elem(), model.Runtime, "LimitError")
}

func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	return named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

func concat(tuples ...*types.Tuple) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for _, tuple := range tuples {
			for v := range tuple.Variables() {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// invalid reports whether a type, as it would be written, has a part that did
// not type-check.
func invalid(t types.Type) bool {
	if _, name, ok := model.TypeName(t); ok {
		return name == types.Typ[types.Invalid].Name()
	}
	if sig, ok := t.(*types.Signature); ok && sig.TypeParams().Len() == 0 {
		for v := range concat(sig.Params(), sig.Results()) {
			if invalid(v.Type()) {
				return true
			}
		}
		return false
	}
	return strings.Contains(types.TypeString(t, nil), types.Typ[types.Invalid].String())
}

// identifiers are all names in a piece of code.
func identifiers(code string) []string {
	return strings.FieldsFunc(code, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
