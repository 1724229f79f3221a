package load

import (
	"bytes"
	"errors"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
)

const parserMode = parser.ParseComments | parser.SkipObjectResolution

// parse parses the sources of a package that may have directives.
func (p *Program) parse(pkg *Package, sources []source) {
	pkg.Declared, pkg.Imported = map[string]token.Pos{}, map[string]bool{}
	for _, s := range sources {
		if s.hidden {
			continue
		}
		f := &File{Path: s.path, State: s.state, Constrained: constrained(s.path, s.text)}
		var err error
		f.Syntax, err = parser.ParseFile(p.Fset, s.path, s.text, parserMode)
		f.Errors = syntaxProblems(s.path, err)
		if f.State != Test && importsC(f.Syntax) {
			f.State = Cgo
		}
		if f.Syntax.Name.Name == pkg.Name {
			pkg.declare(f.Syntax)
		}
		pkg.Files = append(pkg.Files, f)
		p.parsed[s.path] = f
	}
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

// constrained reports whether a file is built on some systems only: by a line
// in its text or by a suffix of its name. What every build has is no
// constraint, such as a version of Go that the module asks for anyway.
func constrained(file string, src []byte) bool {
	for line := range bytes.Lines(src) {
		text := string(bytes.TrimSpace(line))
		if constraint.IsGoBuild(text) && !version(text) {
			return true
		}
		if text != "" && !strings.HasPrefix(text, "//") {
			break
		}
	}
	nowhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: emptyPackage}
	matches, err := nowhere.MatchFile(filepath.Dir(file), filepath.Base(file))
	return err == nil && !matches
}

// version reports whether a constraint asks for a version of Go and no more.
func version(line string) bool {
	expr, err := constraint.Parse(line)
	tag, ok := expr.(*constraint.TagExpr)
	return err == nil && ok && strings.HasPrefix(tag.Tag, "go1.")
}

func emptyPackage(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("package p\n")), nil
}

func importsC(f *ast.File) bool {
	for _, spec := range f.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
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
