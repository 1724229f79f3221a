package resolve

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// notEverywhere returns why generated code may not name an object of the
// package: only some builds have it. It returns "" for one that several files
// declare alike, each for builds of its own.
func (r *resolver) notEverywhere(obj types.Object) string {
	file := r.constrainedFile(obj)
	if file == nil {
		return ""
	}
	here := declarationOf(file, obj)
	for _, f := range r.pkg.Files {
		if f == file || f.State == load.Test || f.Syntax.Name.Name != r.pkg.Name {
			continue
		}
		if other := declarationOf(f, obj); other != "" && other == here {
			return ""
		}
	}
	return fmt.Sprintf("is declared in %s, and not alike for other builds: declare it for those, or move the directives to that file", filepath.Base(file.Path))
}

// portable reports what an expression names and some builds do not have.
func (r *resolver) portable(m *method, rule collect.Rule, item directive.Item, expr *keyexpr.Expr) {
	for _, name := range expr.Names {
		obj := r.pkg.Types.Scope().Lookup(name)
		if obj == nil {
			continue
		}
		if why := r.notEverywhere(obj); why != "" {
			r.problem(m, rule, item, rule.ValuePos(item.Name), "%s %s", name, why)
		}
	}
}

// constrainedFile is the file that declares an object of the package, if it is
// left out of some builds that have the generated one.
func (r *resolver) constrainedFile(obj types.Object) *load.File {
	if !r.constrained || obj.Pkg() != r.pkg.Types {
		return nil
	}
	name := r.fset.PositionFor(obj.Pos(), false).Filename
	i := slices.IndexFunc(r.pkg.Files, func(f *load.File) bool { return f.Path == name })
	if i < 0 || r.set.Covers(r.pkg.Files[i].Set) {
		return nil
	}
	return r.pkg.Files[i]
}

// declarationOf is the signature with which a file declares a function or
// method, or another object's kind, as text; "" where it does not declare it.
func declarationOf(f *load.File, obj types.Object) string {
	fn, ok := obj.(*types.Func)
	for _, decl := range f.Syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if ok && decl.Name.Name == fn.Name() && collect.ReceiverType(decl) == receiverName(fn) {
				return types.ExprString(decl.Type)
			}
		case *ast.GenDecl:
			if !ok && gives(decl, obj.Name()) {
				return decl.Tok.String()
			}
		}
	}
	return ""
}

func receiverName(fn *types.Func) string {
	if named := receiver(fn); named != nil {
		return named.Obj().Name()
	}
	return ""
}

// gives reports whether a declaration has an object of that name.
func gives(decl *ast.GenDecl, name string) bool {
	is := func(id *ast.Ident) bool { return id.Name == name }
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			if slices.ContainsFunc(spec.Names, is) {
				return true
			}
		case *ast.TypeSpec:
			if is(spec.Name) {
				return true
			}
		}
	}
	return false
}
