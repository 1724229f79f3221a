package resolve

import (
	"fmt"
	"go/types"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// differs names the one way in which a signature differs from that which it
// should have, or returns "" where there are more or none.
func (r *resolver) differs(have, want *types.Signature) string {
	if have.Variadic() != want.Variadic() {
		return ""
	}
	parameter := r.oneDiffers("parameter", have.Params(), want.Params())
	result := r.oneDiffers("result", have.Results(), want.Results())
	switch {
	case parameter == "" && identicalTuples(have.Params(), want.Params()):
		return result
	case result == "" && identicalTuples(have.Results(), want.Results()):
		return parameter
	}
	return ""
}

// oneDiffers names the one type in which two lists of the same length differ,
// or returns "".
func (r *resolver) oneDiffers(what string, have, want *types.Tuple) string {
	if have.Len() != want.Len() {
		return ""
	}
	text := ""
	for i := range have.Len() {
		h, w := have.At(i).Type(), want.At(i).Type()
		switch {
		case types.Identical(h, w):
		case text != "":
			return ""
		default:
			text = fmt.Sprintf("%s %d is %s, must be %s", what, i+1, r.typeText(h), r.typeText(w))
		}
	}
	return text
}

func identicalTuples(a, b *types.Tuple) bool {
	return a.Len() == b.Len() && identical(a, b, a.Len())
}

// withError is the signature of a method with a last *LimitError, for a
// function that has a LimitError there which is no pointer; else nil.
func withError(method, have *types.Signature) *types.Signature {
	last := have.Params().Len() - 1
	if last != method.Params().Len() || method.Variadic() {
		return nil
	}
	v := have.Params().At(last)
	if !isNamed(v.Type(), model.Runtime, "LimitError") {
		return nil
	}
	var params []*types.Var
	for p := range method.Params().Variables() {
		params = append(params, p)
	}
	params = append(params, types.NewVar(0, nil, "", types.NewPointer(v.Type())))
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), method.Results(), false)
}
