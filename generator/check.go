package generator

import (
	"context"
	"maps"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/resolve"
)

// rounds is how often packages are type-checked again with what was learned,
// at most. One round is enough but where wrappers are embedded in types that
// have wrappers themselves.
const rounds = 5

// check type-checks the packages that have directives, with stubs of what is
// about to be generated. What they lack may be generated for a package that
// this run is not about, and what wrappers have is known for sure only when
// their types are.
func (r *run) check(ctx context.Context) error {
	stubs := r.stubs(resolve.Stub)
	if err := r.program.Check(ctx, stubs); err != nil {
		return err
	}
	if slices.ContainsFunc(r.units, func(u *unit) bool { return u.IllTyped() }) {
		if err := r.imports(ctx, stubs); err != nil {
			return err
		}
	}
	if !r.usesWrappers() {
		return nil
	}
	for range rounds {
		exact := r.stubs(resolve.Exact)
		if maps.Equal(exact, stubs) {
			return nil
		}
		stubs = exact
		r.program.Recheck(stubs)
	}
	return nil
}

// stubs are the stubs of all packages that ask for something.
func (r *run) stubs(of stubber) map[*load.Package]string {
	all := map[*load.Package]string{}
	for _, u := range slices.Concat(r.units, r.imported) {
		switch {
		case u.user:
			all[u.Package] = ""
		case !u.asked.Empty():
			all[u.Package] = of(u.Package, u.asked)
		}
	}
	return all
}

type stubber = func(*load.Package, *collect.Package) string

// imports checks again with the packages that are imported, if any of these
// has directives.
func (r *run) imports(ctx context.Context, stubs map[*load.Package]string) error {
	if err := r.program.Import(ctx, collect.Mentions); err != nil {
		return err
	}
	for _, pkg := range r.program.Imported {
		asked, _ := collect.Read(r.program.Fset, pkg)
		r.imported = append(r.imported, &unit{Package: pkg, asked: asked})
	}
	more := r.stubs(resolve.Stub)
	if len(more) == len(stubs) {
		return nil
	}
	return r.program.Check(ctx, more)
}

// usesWrappers reports whether the source of a package that is checked names a
// wrapper.
func (r *run) usesWrappers() bool {
	all := slices.Concat(r.units, r.imported)
	parsed := slices.DeleteFunc(slices.Clone(all), func(u *unit) bool { return len(u.Files) == 0 })
	return slices.ContainsFunc(all, func(of *unit) bool {
		return !of.asked.Empty() && slices.ContainsFunc(parsed, func(u *unit) bool { return resolve.Uses(u.Package, of.asked) })
	})
}
