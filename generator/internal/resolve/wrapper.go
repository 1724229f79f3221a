package resolve

import (
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// chooseNames names a wrapper and its constructor, and reports names that are
// taken.
func (r *resolver) chooseNames(t *target) bool {
	w := naming.Wrapper(t.name())
	if t.wrap != nil {
		w = t.wrap.As
		if !r.usableName(t, w) {
			return false
		}
	}
	names := []string{w, naming.Constructor(w)}
	if t.isFunc() {
		names = names[1:]
	}
	for _, name := range names {
		if !r.free(t, name) {
			return false
		}
		r.scope.Take(name)
	}
	t.wrapper.Name, t.wrapper.Constructor = w, naming.Constructor(w)
	return true
}

// usableName reports a written name that no type can have in the package.
func (r *resolver) usableName(t *target, name string) bool {
	switch {
	case name == "": // it was reported
		return false
	case naming.Predeclared(name):
		r.at(t.wrap.AsPos, "%s is predeclared in Go; choose another name", name)
		return false
	case name == "init" || name == "main" && r.pkg.Name == "main":
		r.at(t.wrap.AsPos, "%s is a name that only a function can have; choose another one", name)
		return false
	case r.pkg.Imported[name]:
		r.at(t.wrap.AsPos, "%s is the name of an import of the package; choose another name", name)
		return false
	}
	return true
}

// free reports a name that the package has already, where the name is to be
// chosen otherwise.
func (r *resolver) free(t *target, name string) bool {
	pos, declared := r.pkg.Declared[name]
	switch {
	case declared && r.foreign(pos): // it was reported
	case t.wrap == nil && declared:
		r.at(pos, "%s is the name of what is generated for %s; rename this one", name, t.name())
	case declared:
		r.at(t.wrap.AsPos, "the package declares %s already, at %s; choose another name", name, r.place(pos))
	case r.dotted(name) != "":
		r.at(r.chosenAt(t), "%s, the name of what is generated for %s, comes with the dot import of %s; import that under a name", name, t.name(), r.dotted(name))
	case r.scope.Taken(name):
		r.at(r.chosenAt(t), "%s is generated twice: another type's wrapper has the name", name)
	default:
		return true
	}
	return false
}

// foreign reports whether something stands in the place of what is generated,
// in a file that is not ours.
func (r *resolver) foreign(pos token.Pos) bool {
	return filepath.Base(r.fset.PositionFor(pos, false).Filename) == r.set.Name()
}

// dotted is the package that a file imports into its own scope and that has
// the name, or "".
func (r *resolver) dotted(name string) (path string) {
	for _, file := range r.pkg.Files {
		_, dotted := r.fileImports(file.Syntax)
		for _, p := range dotted {
			if token.IsExported(name) && p.Scope().Lookup(name) != nil {
				path = p.Path()
			}
		}
	}
	return path
}

func (r *resolver) chosenAt(t *target) token.Pos {
	if t.wrap != nil {
		return t.wrap.AsPos
	}
	return t.start
}

// hidden reports whether a package exports a wrapper and not the type inside.
// Such a wrapper has no Unwrap, so that nobody outside can go around it.
func hidden(wrapper, typ string) bool {
	return token.IsExported(wrapper) && !token.IsExported(typ)
}

// promotedFrom is the wrapper, as the package names it, from which a method is
// promoted, or "".
func (r *resolver) promotedFrom(sel *types.Selection) string {
	if len(sel.Index()) == 1 {
		return ""
	}
	named := receiver(sel.Obj().(*types.Func))
	if named == nil || !isWrapper(named.Obj()) {
		return ""
	}
	if named.Obj().Pkg() == r.pkg.Types {
		return named.Obj().Name()
	}
	return named.Obj().Pkg().Name() + "." + named.Obj().Name()
}

// isWrapper reports whether a type has what makes a wrapper: a constructor
// that takes the type inside and a limiter.
func isWrapper(typ *types.TypeName) bool {
	if typ.Pkg() == nil {
		return false
	}
	fn, _ := typ.Pkg().Scope().Lookup(naming.Constructor(typ.Name())).(*types.Func)
	if fn == nil || fn.Signature().Params().Len() != 2 || fn.Signature().Results().Len() != 1 {
		return false
	}
	made, pointer := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Pointer)
	limiter := fn.Signature().Params().At(1)
	return pointer && isNamed(made.Elem(), typ.Pkg().Path(), typ.Name()) && isLimiter(limiter.Type())
}

// isLimiter reports whether a type is a pointer to a Limiter, or what stands
// for one in stubs.
func isLimiter(t types.Type) bool {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return isNamed(pointer.Elem(), model.Runtime, "Limiter")
	}
	return types.Identical(t, types.Universe.Lookup("any").Type())
}
