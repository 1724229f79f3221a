package load

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// StubFile is the name of the file in which the declarations of stubs stand.
const StubFile = "ratelimit stubs"

// Check type-checks those packages that have stubs: Go declarations of what is
// about to be generated there. What it finds is left in the packages; the error
// is for a go command that gave no answer, or ErrOtherwise.
func (p *Program) Check(ctx context.Context, stubs map[*Package]string) error {
	var paths []string
	p.stubbed = map[string]*ast.File{}
	for _, pkg := range slices.Concat(p.Packages, p.Imported) {
		if stub, ok := stubs[pkg]; ok {
			paths = append(paths, pkg.listed)
			p.addStub(pkg, stub)
		}
	}
	checked, err := p.check(ctx, slices.Compact(paths))
	if err != nil {
		return err
	}
	for pkg := range stubs {
		if i := slices.IndexFunc(checked, pkg.is); i >= 0 {
			c := checked[i]
			pkg.checked = c
			pkg.Types, pkg.Info, pkg.TypeErrors = c.Types, c.TypesInfo, reworded(c)
		}
		pkg.Problems = p.impossible(pkg)
	}
	return nil
}

func (p *Program) check(ctx context.Context, paths []string) ([]*packages.Package, error) {
	switch {
	case p.ahead != nil && len(paths) > 0:
		return p.await()
	case p.ahead != nil:
		return nil, ErrOtherwise
	case len(paths) == 0:
		return nil, nil
	}
	checked, err := packages.Load(p.checking(ctx), paths...)
	if err != nil {
		return nil, goError(err)
	}
	return checked, nil
}

// checking is how the go command is asked for a type check.
func (p *Program) checking(ctx context.Context) *packages.Config {
	config := p.config.packages()
	config.Context, config.Mode, config.Overlay, config.Tests = ctx, checkMode, p.overlay, p.tests
	config.Fset, config.ParseFile = p.Fset, p.parseFile
	return config
}

// is reports whether a package is the one that was loaded.
func (pkg *Package) is(l *packages.Package) bool {
	if pkg.Kind == genfile.Base {
		return l.ForTest == "" && l.PkgPath == pkg.Path
	}
	return l.ForTest == pkg.listed && l.PkgPath == pkg.Path
}

// parseFile gives the type checker what was parsed already, and an empty file
// for each generated one of the packages to check.
func (p *Program) parseFile(fset *token.FileSet, path string, src []byte) (*ast.File, error) {
	if source := cgoSource(src); p.parsed[source] != nil {
		path = source
	}
	if stubbed := p.stubbed[path]; stubbed != nil {
		return stubbed, nil
	}
	if f := p.parsed[path]; f != nil {
		return f.Syntax, nil
	}
	if genfile.Named(path) && genfile.Ours(src) {
		if pkg := p.in(filepath.Dir(path)); pkg != nil {
			src = genfile.Empty(path, src, pkg.Name)
		}
	}
	return parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
}

// in is the package itself of a folder, if its files are parsed.
func (p *Program) in(dir string) *Package {
	for _, pkg := range slices.Concat(p.Packages, p.Imported) {
		if pkg.Dir == dir && pkg.Kind == genfile.Base && pkg.Files != nil {
			return pkg
		}
	}
	return nil
}

// addStub adds declarations to what the type checker sees of the first file
// that is built of a package alone.
func (p *Program) addStub(pkg *Package, stub string) {
	i := slices.IndexFunc(pkg.Files, func(f *File) bool { return f.State == Built && f.Set.Kind == pkg.Kind })
	if i < 0 || stub == "" {
		return
	}
	parsed, err := p.parseStub(pkg, stub)
	if err != nil {
		return // a name that is none; the package has a problem already
	}
	with := *pkg.Files[i].Syntax
	with.Decls = append(slices.Clip(with.Decls), parsed.Decls...)
	p.stubbed[pkg.Files[i].Path] = &with
}

func (p *Program) parseStub(pkg *Package, stub string) (*ast.File, error) {
	return parser.ParseFile(p.Fset, StubFile, "package "+pkg.Name+"\n"+stub, parser.SkipObjectResolution)
}

// impossible returns why a package could not be checked at all.
func (p *Program) impossible(pkg *Package) []diag.Problem {
	if pkg.Types == nil || pkg.Info == nil {
		return []diag.Problem{{Pos: token.Position{Filename: pkg.Dir}, Text: "package " + pkg.Path + " cannot be type-checked"}}
	}
	for _, err := range pkg.TypeErrors {
		if text, ok := newerGo(err.Msg); ok {
			return []diag.Problem{{Pos: p.Fset.PositionFor(err.Pos, false), Text: text}}
		}
	}
	return nil
}
