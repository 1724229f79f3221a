package model

import "go/types"

// TypeName returns the package and the name of a type that is written as its
// name alone. The package is nil for a predeclared one.
func TypeName(t types.Type) (pkg *types.Package, name string, ok bool) {
	switch t := t.(type) {
	case *types.Basic:
		return nil, t.Name(), t.Kind() != types.UnsafePointer
	case *types.Named:
		return t.Obj().Pkg(), t.Obj().Name(), t.TypeParams().Len()+t.TypeArgs().Len() == 0
	case *types.Alias:
		return t.Obj().Pkg(), t.Obj().Name(), t.TypeParams().Len()+t.TypeArgs().Len() == 0
	}
	return nil, "", false
}

// SameText reports whether two types are written alike.
func SameText(a, b types.Type) bool {
	p, m, plain := TypeName(a)
	q, n, plainer := TypeName(b)
	switch {
	case a == b:
		return true
	case plain && plainer:
		return m == n && path(p) == path(q)
	}
	return types.TypeString(a, nil) == types.TypeString(b, nil)
}

func path(p *types.Package) string {
	if p == nil {
		return ""
	}
	return p.Path()
}
