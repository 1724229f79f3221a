package resolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// needed are the predeclared names that generated code uses for what they are.
var needed = []string{"append", "bool", "byte", "error", "false", "int64", "nil", "recover", "string", "true"}

// takeNames marks as taken what the package declares, generated files included.
func (r *resolver) takeNames() {
	for name := range r.pkg.Declared {
		r.scope.Take(name)
	}
	for _, other := range r.others {
		r.scope.Take(other.Declared...)
	}
	for _, name := range needed {
		if pos, ok := r.pkg.Declared[name]; ok {
			r.at(pos, "the package has its own %s, but generated code needs the predeclared one; rename it", name)
		}
	}
}

// takeImports marks as taken the names of the imports of all files: Go lets no
// declaration of the package have one of them. The imports of the generated
// file are not bound by those of others, so they are named before.
func (r *resolver) takeImports() {
	for name := range r.pkg.Imported {
		r.scope.Take(name)
	}
	for _, other := range r.others {
		r.scope.Take(other.Imported...)
	}
	r.eachImport(func(_ *load.File, name *types.PkgName) { r.scope.Take(name.Name()) })
}

// readImports learns the packages that the package can name, and what the
// files call them that declare what gets a wrapper. Other files are free to
// call them otherwise: the aliases stay as they are.
func (r *resolver) readImports(asked *collect.Package) {
	r.packages, r.aliases = map[string]*types.Package{}, map[string]string{}
	r.reach(r.pkg.Types)
	declaring := r.declaring(asked)
	r.eachImport(func(file *load.File, name *types.PkgName) {
		path := name.Imported().Path()
		if _, ok := r.aliases[path]; !ok && declaring[file] {
			r.aliases[path] = name.Name()
		}
	})
}

// declaring are the files with the methods, functions and types that
// directives are about.
func (r *resolver) declaring(asked *collect.Package) map[*load.File]bool {
	var at []token.Pos
	for _, m := range asked.Methods {
		at = append(at, m.Name.Pos())
	}
	for _, t := range asked.Types {
		at = append(at, t.Spec.Pos())
	}
	for _, w := range asked.Wraps {
		at = append(at, w.Type.Pos())
	}
	files := map[*load.File]bool{}
	for _, file := range r.pkg.Files {
		files[file] = slices.ContainsFunc(at, func(pos token.Pos) bool {
			return file.Syntax.FileStart <= pos && pos < file.Syntax.FileEnd
		})
	}
	return files
}

func (r *resolver) reach(p *types.Package) {
	if r.packages[p.Path()] != nil {
		return
	}
	r.packages[p.Path()] = p
	for _, imported := range p.Imports() {
		r.reach(imported)
	}
}

// eachImport calls f for each import that has a name, in the order of the
// source.
func (r *resolver) eachImport(f func(*load.File, *types.PkgName)) {
	for _, file := range r.pkg.Files {
		if file.State != load.Built {
			continue
		}
		for _, spec := range file.Syntax.Imports {
			name := r.pkg.Info.PkgNameOf(spec)
			if name != nil && name.Name() != "_" && name.Name() != "." {
				f(file, name)
			}
		}
	}
}

// declaration is where a method or function is declared.
type declaration struct {
	from, to token.Pos // of its signature, nowhere if that is in another package
	doc      *ast.CommentGroup
}

// readDecls finds the declaration of each method and function.
func (r *resolver) readDecls() {
	r.decls = map[*types.Func]declaration{}
	add := func(name *ast.Ident, d declaration) {
		if fn, ok := r.pkg.Info.Defs[name].(*types.Func); ok {
			r.decls[fn] = d
		}
	}
	for _, file := range r.pkg.Files {
		ast.Inspect(file.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Name, declaration{n.Pos(), n.Type.End(), n.Doc})
			case *ast.InterfaceType:
				for _, field := range n.Methods.List {
					for _, name := range field.Names {
						add(name, declaration{field.Pos(), field.Type.End(), field.Doc})
					}
				}
			case *ast.BlockStmt:
				return false
			}
			return true
		})
	}
}

// fileImports are the imports of one file by the names that they have in it.
func (r *resolver) fileImports(file *ast.File) (named map[string]*types.Package, dotted []*types.Package) {
	named = map[string]*types.Package{}
	for _, spec := range file.Imports {
		switch name := r.pkg.Info.PkgNameOf(spec); {
		case name == nil || name.Name() == "_":
		case name.Name() == ".":
			dotted = append(dotted, name.Imported())
		default:
			named[name.Name()] = name.Imported()
		}
	}
	return named, dotted
}

// failedImports reports the imports of a file that could not be had, which the
// type checker says of one file only.
func (r *resolver) failedImports(file *ast.File) bool {
	found := false
	for _, spec := range file.Imports {
		for _, other := range r.pkg.Files {
			for _, same := range other.Syntax.Imports {
				if same.Path.Value == spec.Path.Value && r.typeErrors(same.Pos(), same.End()) {
					found = true
				}
			}
		}
	}
	return found
}

// want notes that the generated file uses a package.
func (r *resolver) want(path string) {
	if path == r.pkg.Path {
		return
	}
	own := r.packageName(path)
	r.imports.Want(path, own, r.aliases[path])
}

func (r *resolver) packageName(importPath string) string {
	if p := r.packages[importPath]; p != nil && p.Name() != "" {
		return p.Name()
	}
	if importPath == model.Runtime {
		return model.RuntimeName
	}
	return path.Base(importPath)
}

// wantTypes notes the packages that a type names.
func (r *resolver) wantTypes(t types.Type) {
	want := func(p *types.Package) string {
		r.packages[p.Path()] = p
		r.want(p.Path())
		return ""
	}
	if pkg, _, ok := model.TypeName(t); !ok {
		types.TypeString(t, want)
	} else if pkg != nil {
		want(pkg)
	}
}
