package load

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// Recheck type-checks again what was checked, with other stubs: whole files
// without a package clause, which may import whatever the check has seen. Of a
// path that packages with and without tests have, one program sees one, so
// each folder with tests is checked by itself.
func (p *Program) Recheck(stubs map[*Package]string) {
	dirs := map[string][]*Package{}
	for _, pkg := range slices.Concat(p.Packages, p.Imported) {
		switch {
		case pkg.checked == nil || pkg.checked.Types == nil || len(pkg.Problems) > 0:
		case pkg.Kind == genfile.Base:
			dirs[""] = append(dirs[""], pkg)
		default:
			dirs[pkg.Dir] = append(dirs[pkg.Dir], pkg)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		p.recheck(stubs, dirs[dir], dirs[""])
	}
}

// recheck checks packages again, and for them what others they import.
func (p *Program) recheck(stubs map[*Package]string, wanted, others []*Package) {
	r := &recheck{
		Program: p,
		stubs:   stubs,
		wanted:  wanted,
		roots:   map[*packages.Package]*Package{},
		seen:    map[string]*types.Package{},
		again:   map[*packages.Package]bool{},
	}
	for _, pkg := range slices.Concat(wanted, others) {
		r.roots[pkg.checked] = pkg
		r.reach(pkg.checked.Types)
	}
	for _, pkg := range wanted {
		r.visit(pkg.checked)
	}
}

// recheck is one further type-check.
type recheck struct {
	*Program
	stubs  map[*Package]string
	wanted []*Package
	roots  map[*packages.Package]*Package
	seen   map[string]*types.Package  // by path, the newest of each
	again  map[*packages.Package]bool // which of those that were visited are checked again
}

// reach adds a package and all that it imports.
func (r *recheck) reach(pkg *types.Package) {
	if r.seen[pkg.Path()] != nil {
		return
	}
	r.seen[pkg.Path()] = pkg
	for _, imported := range pkg.Imports() {
		r.reach(imported)
	}
}

// visit checks a package again, after all that it imports, if it has stubs or
// imports one that has, and reports whether it did.
func (r *recheck) visit(l *packages.Package) bool {
	if again, visited := r.again[l]; visited {
		return again
	}
	r.again[l] = false
	again := r.roots[l] != nil
	for _, imported := range l.Imports {
		again = r.visit(imported) || again
	}
	r.again[l] = again
	switch root := r.roots[l]; {
	case slices.Contains(r.wanted, root):
		r.checkRoot(root)
	case root != nil:
		r.check(l, r.files(root), nil, func(error) {})
	case again:
		r.check(l, r.source(l), nil, func(error) {})
	}
	return again
}

func (r *recheck) checkRoot(pkg *Package) {
	pkg.Info, pkg.TypeErrors = newInfo(), nil
	pkg.Types = r.check(pkg.checked, r.files(pkg), pkg.Info, func(err error) {
		if err, ok := err.(types.Error); ok {
			pkg.TypeErrors = append(pkg.TypeErrors, err)
		}
	})
}

// check type-checks a package, of which only the declarations count where
// there is no info.
func (r *recheck) check(l *packages.Package, files []*ast.File, info *types.Info, report func(error)) *types.Package {
	config := types.Config{
		Importer:         importer{r, l},
		Sizes:            l.TypesSizes,
		IgnoreFuncBodies: info == nil,
		Error:            report,
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		config.GoVersion = "go" + l.Module.GoVersion
	}
	pkg, _ := config.Check(l.PkgPath, r.Fset, files, info)
	r.seen[l.PkgPath] = pkg
	return pkg
}

// source parses a package that has no stubs.
func (r *recheck) source(l *packages.Package) []*ast.File {
	var files []*ast.File
	for _, path := range l.CompiledGoFiles {
		if f, _ := parser.ParseFile(r.Fset, path, nil, parser.SkipObjectResolution); f != nil {
			files = append(files, f)
		}
	}
	return files
}

// files are the files of a package as they are without stubs, and the stubs of
// all that it is made of.
func (r *recheck) files(pkg *Package) []*ast.File {
	var files []*ast.File
	for _, f := range pkg.checked.Syntax {
		if parsed := r.parsed[r.Fset.PositionFor(f.FileStart, false).Filename]; parsed != nil {
			f = parsed.Syntax
		}
		files = append(files, f)
	}
	for _, of := range slices.Concat(r.Packages, r.Imported) {
		if of.Path != pkg.Path || of.Kind > pkg.Kind {
			continue
		}
		if stub, err := r.parseStub(of, r.stubs[of]); err == nil {
			files = append(files, stub)
		}
	}
	return files
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
}

// importer gives a package what it imports by the name that it writes, and its
// stubs what they name by path.
type importer struct {
	*recheck
	by *packages.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if imported := i.by.Imports[path]; imported != nil {
		path = imported.PkgPath
	}
	if pkg := i.seen[path]; pkg != nil {
		pkg.MarkComplete() // one that others import has all that they name, which is what stubs do
		return pkg, nil
	}
	return nil, fmt.Errorf("package %s was not imported before", path)
}
