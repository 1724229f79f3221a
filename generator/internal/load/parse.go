package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

const parserMode = parser.ParseComments | parser.SkipObjectResolution

// parse parses sources that may have directives, or belong to some that have.
func (p *Program) parse(sources []source) []*File {
	var files []*File
	for _, s := range sources {
		if s.hidden {
			continue
		}
		f := &File{Path: s.path, State: s.state}
		var err error
		f.Syntax, err = parser.ParseFile(p.Fset, s.path, s.text, parserMode)
		f.Errors = syntaxProblems(s.path, err)
		f.Set.Kind = kindOf(s.path, f.Syntax.Name.Name)
		if importsC(f.Syntax) {
			f.Set.Constraint = genfile.ConstraintOf(s.path, f.Syntax, "cgo")
			withoutC(f.Syntax)
		} else {
			f.Set.Constraint = genfile.ConstraintOf(s.path, f.Syntax)
		}
		files = append(files, f)
		p.parsed[s.path] = f
	}
	return files
}

// packageClause returns the name in the package clause of a file whose imports
// parse as well, or "".
func packageClause(src []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

// syntaxProblems returns the first problem of a file: what follows it is
// mostly its echo.
func syntaxProblems(file string, err error) []diag.Problem {
	if err == nil {
		return nil
	}
	if list, ok := errors.AsType[scanner.ErrorList](err); ok && len(list) > 0 {
		return []diag.Problem{{Pos: list[0].Pos, Text: list[0].Msg}}
	}
	return []diag.Problem{{Pos: token.Position{Filename: file}, Text: oneLine(err.Error())}}
}

// declare adds the names that a file takes away from its package.
func (pkg *Package) declare(f *ast.File) {
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				pkg.Declared[decl.Name.Name] = decl.Name.Pos()
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				pkg.declareSpec(spec)
			}
		}
	}
}

func (pkg *Package) declareSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		pkg.Declared[spec.Name.Name] = spec.Name.Pos()
	case *ast.ImportSpec:
		pkg.Imported[importName(spec)] = true
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			pkg.Declared[id.Name] = id.Pos()
		}
	}
}

// importName is the name of an import as far as its text tells it.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return path.Base(p)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
