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

// Check type-checks those packages that have stubs: Go declarations, by the
// path of their package, of what is about to be generated there. What it finds
// is left in the packages; the error is for a go command that gave no answer.
func (p *Program) Check(ctx context.Context, stubs map[string]string) error {
	var paths []string
	byPath := map[string]*Package{}
	p.stubbed = map[string]*ast.File{}
	for _, pkg := range slices.Concat(p.Packages, p.Imported) {
		if stub, ok := stubs[pkg.Path]; ok {
			paths = append(paths, pkg.Path)
			byPath[pkg.Path] = pkg
			p.addStub(pkg, stub)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	config := p.config.packages()
	config.Context, config.Mode, config.Overlay = ctx, checkMode, p.overlay
	config.Fset, config.ParseFile = p.Fset, p.parseFile
	checked, err := packages.Load(config, paths...)
	if err != nil {
		return goError(err)
	}
	for _, c := range checked {
		if pkg := byPath[c.PkgPath]; pkg != nil {
			pkg.checked = c
			pkg.Types, pkg.Info, pkg.TypeErrors = c.Types, c.TypesInfo, c.TypeErrors
		}
	}
	for _, pkg := range byPath {
		pkg.Problems = p.impossible(pkg)
	}
	return nil
}

// parseFile gives the type checker what was parsed already, and an empty file
// for each generated one of the packages to check.
func (p *Program) parseFile(fset *token.FileSet, path string, src []byte) (*ast.File, error) {
	if stubbed := p.stubbed[path]; stubbed != nil {
		return stubbed, nil
	}
	if f := p.parsed[path]; f != nil {
		return f.Syntax, nil
	}
	if genfile.Named(path) && genfile.Ours(src) {
		if pkg := p.in(filepath.Dir(path)); pkg != nil {
			src = []byte("package " + pkg.Name + "\n")
		}
	}
	return parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
}

func (p *Program) in(dir string) *Package {
	for _, pkg := range slices.Concat(p.Packages, p.Imported) {
		if pkg.Dir == dir && pkg.Files != nil {
			return pkg
		}
	}
	return nil
}

// addStub adds declarations to what the type checker sees of the first file
// that is built.
func (p *Program) addStub(pkg *Package, stub string) {
	i := slices.IndexFunc(pkg.Files, func(f *File) bool { return f.State == Built })
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
