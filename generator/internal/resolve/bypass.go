package resolve

import (
	"go/types"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// bypasses notes the methods of a wrapper that are promoted from an embedded
// type which has a wrapper itself: they go around what that limits.
func (r *resolver) bypasses(t *target, targets []*target) {
	s, ok := t.inner.Underlying().(*types.Struct)
	if !ok {
		return
	}
	type bypass struct {
		field   *types.Var
		wrapper string
	}
	var all []bypass
	methods := map[bypass][]string{}
	for _, sel := range t.methodSet() {
		fn := sel.Obj().(*types.Func)
		if wrapper := r.limitedBy(fn, targets); wrapper != "" && len(sel.Index()) > 1 {
			b := bypass{s.Field(sel.Index()[0]), wrapper}
			if methods[b] == nil {
				all = append(all, b)
			}
			methods[b] = append(methods[b], fn.Name())
		}
	}
	for _, b := range all {
		r.problems.Notef(r.fset.PositionFor(b.field.Pos(), false), "%s passes %s on without the limits of *%s: embed that instead",
			t.wrapper.Name, strings.Join(methods[b], " and "), b.wrapper)
	}
}

// limitedBy is the wrapper, as the package names it, that limits a
// method, or one of another package that limits some methods of its type.
func (r *resolver) limitedBy(fn *types.Func, targets []*target) string {
	named := receiver(fn)
	if named == nil || !fn.Exported() {
		return ""
	}
	if named.Obj().Pkg() == r.pkg.Types {
		i := slices.IndexFunc(targets, func(t *target) bool { return t.limited[fn.Origin()] != nil })
		if i < 0 {
			return ""
		}
		return targets[i].wrapper.Name
	}
	pkg := named.Obj().Pkg()
	if pkg == nil {
		return ""
	}
	w, _ := pkg.Scope().Lookup(naming.Wrapper(named.Obj().Name())).(*types.TypeName)
	if w == nil || !w.Exported() || !isWrapper(w) {
		return ""
	}
	return pkg.Name() + "." + w.Name()
}
