package resolve

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// unnameable returns why a type cannot be written in package from, or "".
func unnameable(t types.Type, from *types.Package) string {
	switch t := t.(type) {
	case *types.Alias:
		return unnameableObject(t.Obj(), t.TypeArgs(), from)
	case *types.Named:
		return unnameableObject(t.Obj(), t.TypeArgs(), from)
	case *types.Map:
		return first(unnameable(t.Key(), from), unnameable(t.Elem(), from))
	case interface{ Elem() types.Type }:
		return unnameable(t.Elem(), from)
	case *types.Signature:
		return first(unnameable(t.Params(), from), unnameable(t.Results(), from))
	case *types.Tuple:
		for v := range t.Variables() {
			if why := unnameable(v.Type(), from); why != "" {
				return why
			}
		}
	case *types.Struct:
		return unnameableStruct(t, from)
	case *types.Interface:
		return unnameableInterface(t, from)
	case *types.Union:
		for term := range t.Terms() {
			if why := unnameable(term.Type(), from); why != "" {
				return why
			}
		}
	}
	return ""
}

func unnameableObject(obj *types.TypeName, args *types.TypeList, from *types.Package) string {
	if name, ok := strings.CutPrefix(obj.Name(), load.CType); ok {
		return fmt.Sprintf("its signature has the type C.%s, which only files that import C can name", name)
	}
	if obj.Pkg() != nil && obj.Pkg() != from {
		if !obj.Exported() {
			return fmt.Sprintf("its signature has the type %s, which %s does not export", obj.Name(), obj.Pkg().Path())
		}
		if !importable(obj.Pkg().Path(), folder(from)) {
			return fmt.Sprintf("its signature has a type of %s, which this package may not import", obj.Pkg().Path())
		}
	}
	for arg := range args.Types() {
		if why := unnameable(arg, from); why != "" {
			return why
		}
	}
	return ""
}

func unnameableStruct(t *types.Struct, from *types.Package) string {
	for field := range t.Fields() {
		if !field.Exported() && field.Pkg() != from {
			return fmt.Sprintf("its signature has a struct with the field %s, which %s does not export", field.Name(), field.Pkg().Path())
		}
		if why := unnameable(field.Type(), from); why != "" {
			return why
		}
	}
	return ""
}

func unnameableInterface(t *types.Interface, from *types.Package) string {
	for m := range t.ExplicitMethods() {
		if !m.Exported() && m.Pkg() != from {
			return fmt.Sprintf("its signature has an interface with the method %s, which %s does not export", m.Name(), m.Pkg().Path())
		}
		if why := unnameable(m.Signature(), from); why != "" {
			return why
		}
	}
	for embedded := range t.EmbeddedTypes() {
		if why := unnameable(embedded, from); why != "" {
			return why
		}
	}
	return ""
}

// folder is the path of the folder of a package, which an external test has in
// common with what it tests.
func folder(pkg *types.Package) string {
	if !strings.HasSuffix(pkg.Name(), "_test") {
		return pkg.Path()
	}
	return strings.TrimSuffix(pkg.Path(), "_test")
}

// importable reports whether the rule of internal packages lets from import
// path.
func importable(path, from string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	parent := strings.TrimSuffix(path[:max(i-1, 0)], "/")
	return parent != "" && (from == parent || strings.HasPrefix(from, parent+"/"))
}

func first(reasons ...string) string {
	for _, why := range reasons {
		if why != "" {
			return why
		}
	}
	return ""
}
