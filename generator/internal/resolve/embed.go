package resolve

import (
	"fmt"
	"go/types"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// embed gives the wrapper a method that only another package can write: it
// embeds what the type inside has the method from. It reports where that
// cannot be named.
func (r *resolver) embed(t *target, sel *types.Selection) {
	fn := sel.Obj().(*types.Func)
	refuse := func(why string) {
		r.at(t.start, "the wrapper of %s cannot have the method %s, which is not exported by %s: %s", t.name(), fn.Name(), fn.Pkg().Path(), why)
	}
	e, why := t.embedded(sel, r.pkg.Types)
	switch {
	case why != "":
		refuse(why)
	case t.embeds(e.Field):
	default:
		e.Alias = r.scope.Fresh(naming.Embedded(t.name(), e.Field))
		r.wantTypes(e.Type)
		t.wrapper.Embeds = append(t.wrapper.Embeds, e)
	}
}

func (t *target) embeds(field string) bool {
	for _, e := range t.wrapper.Embeds {
		if e.Field == field {
			return true
		}
	}
	return false
}

// embedded is what a wrapper embeds for a method, or why it cannot.
func (t *target) embedded(sel *types.Selection, from *types.Package) (e model.Embed, why string) {
	if types.IsInterface(t.inner) {
		return model.Embed{Type: t.inner}, ""
	}
	field := t.inner.Underlying().(*types.Struct).Field(sel.Index()[0])
	if !field.Exported() && field.Pkg() != from {
		return e, fmt.Sprintf("it is one of the field %s, which is not exported either", field.Name())
	}
	e = model.Embed{Field: field.Name(), Type: field.Type()}
	if pointer, ok := types.Unalias(e.Type).(*types.Pointer); ok {
		e.Type, e.Pointer = pointer.Elem(), true
	}
	e.Interface = types.IsInterface(e.Type)
	return e, unnameable(e.Type, from)
}
