package model

import (
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestTypeName compares with how go/types writes the types of some packages.
func TestTypeName(t *testing.T) {
	t.Parallel()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}, "net/http", "sync/atomic", "unsafe", "reflect", "maps")
	if err != nil {
		t.Fatal(err)
	}
	var all []types.Type
	for _, pkg := range pkgs {
		for _, name := range pkg.Types.Scope().Names() {
			all = append(all, signatures(pkg.Types.Scope().Lookup(name).Type())...)
		}
	}
	for _, name := range types.Universe.Names() {
		all = append(all, types.Universe.Lookup(name).Type())
	}
	plain := 0
	for i, a := range all {
		if pkg, name, ok := TypeName(a); ok {
			plain++
			if pkg != nil {
				name = pkg.Path() + "." + name
			}
			if want := types.TypeString(a, nil); name != want {
				t.Errorf("%s is called %s", want, name)
			}
		}
		b := all[(i*7919)%len(all)]
		if got, want := SameText(a, b), types.TypeString(a, nil) == types.TypeString(b, nil); got != want {
			t.Errorf("%v and %v are written alike: %v", a, b, got)
		}
	}
	if plain < 100 || plain == len(all) {
		t.Errorf("%d of %d types are names", plain, len(all))
	}
}

// signatures are a type, or those in its signature or in those of its methods.
func signatures(t types.Type) []types.Type {
	all := []types.Type{t}
	if named, ok := t.(*types.Named); ok {
		for m := range named.Methods() {
			all = append(all, signatures(m.Type())...)
		}
	}
	if sig, ok := t.(*types.Signature); ok {
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				all = append(all, v.Type())
			}
		}
	}
	return all
}
