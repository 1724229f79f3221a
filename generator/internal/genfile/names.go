package genfile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
)

// Names are what a generated file takes away from its package.
type Names struct {
	Declared []string // at the top level
	Imported []string // the names of imports
	Paths    []string // of the imports
}

// NamesOf are the names of a generated file that is whole.
func NamesOf(src []byte) (Names, error) {
	var names Names
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return names, err
	}
	for _, spec := range f.Imports {
		names.imported(spec)
	}
	for _, decl := range f.Decls {
		names.declared(decl)
	}
	return names, nil
}

func (n *Names) imported(spec *ast.ImportSpec) {
	p, _ := strconv.Unquote(spec.Path.Value)
	n.Paths = append(n.Paths, p)
	if spec.Name != nil {
		n.Imported = append(n.Imported, spec.Name.Name)
	} else {
		n.Imported = append(n.Imported, path.Base(p))
	}
}

func (n *Names) declared(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			n.declare(decl.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				n.declare(spec.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					n.declare(id)
				}
			}
		}
	}
}

// declare adds a name that can be declared once in a package.
func (n *Names) declare(id *ast.Ident) {
	if id.Name != "_" && id.Name != "init" {
		n.Declared = append(n.Declared, id.Name)
	}
}
