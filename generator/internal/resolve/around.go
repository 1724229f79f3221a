package resolve

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// Limited are the wrappers of limited methods, by the path of the package, the
// type and the method.
type Limited map[[3]string]*model.Wrapper

// Add adds the limited methods of a package. A value of an interface may be
// the wrapper, so calls of its methods go around nothing.
func (l Limited) Add(p *model.Package) {
	for _, w := range p.Wrappers {
		for _, m := range w.Methods {
			if m.Limit != nil && !w.Func && !w.Interface {
				l[[3]string{p.Path, w.Type, m.Name}] = w
			}
		}
	}
}

// Around returns a note for each place in a package where a limited method is
// taken from the type inside rather than from the wrapper, unless the type
// itself does so.
func (l Limited) Around(fset *token.FileSet, pkg *load.Package) []diag.Problem {
	if pkg.Info == nil || len(l) == 0 {
		return nil
	}
	a := &around{Limited: l, fset: fset, pkg: pkg}
	for _, file := range pkg.Files {
		if file.State == load.Built {
			for _, decl := range file.Syntax.Decls {
				a.decl(decl)
			}
		}
	}
	return a.notes
}

type around struct {
	Limited
	fset  *token.FileSet
	pkg   *load.Package
	notes []diag.Problem
}

func (a *around) decl(decl ast.Decl) {
	var self *types.Named
	if fn, ok := decl.(*ast.FuncDecl); ok {
		if obj, ok := a.pkg.Info.Defs[fn.Name].(*types.Func); ok {
			self = receiver(obj)
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			a.selector(sel, self)
		}
		return true
	})
}

func (a *around) selector(sel *ast.SelectorExpr, self *types.Named) {
	fn, ok := a.pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return
	}
	of := receiver(fn)
	if of == nil || of.Obj().Pkg() == nil || self != nil && self.Obj() == of.Obj() {
		return
	}
	w := a.Limited[[3]string{of.Obj().Pkg().Path(), of.Obj().Name(), fn.Name()}]
	if w == nil {
		return
	}
	a.notes = append(a.notes, diag.Problem{
		Pos:  a.fset.PositionFor(sel.Sel.Pos(), false),
		Text: "this " + fn.Name() + " is that of " + of.Obj().Name() + ", around the limits of " + w.Name,
		Note: true,
	})
}
