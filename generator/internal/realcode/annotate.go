package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
)

const directive = "//ratelimit:"

// annotation counts the directives of a module, to name their rules.
type annotation struct{ methods int }

// file puts a directive on each exported method of a file whose last result is
// an error. The mark of generated code is removed: the generator reads no
// directives there.
func (a *annotation) file(path string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	before := a.methods
	for pos := range methods(f) {
		n := fset.PositionFor(pos, false).Line - 1
		if indent, ok := startsLine(lines[n], fset.PositionFor(pos, false).Column-1); ok {
			a.methods++
			rule := fmt.Sprintf("%s%slimit=1000 window=1s sliding name=r%d\n", indent, directive, a.methods)
			lines[n] = append([]byte(rule), lines[n]...)
		}
	}
	if a.methods == before {
		return nil
	}
	return os.WriteFile(path, unmark(bytes.Join(lines, nil)), 0o666)
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

func unmark(src []byte) []byte { return generated.ReplaceAll(src, []byte("// From a generator.")) }

// methods are the starts of the methods that get a directive.
func methods(f *ast.File) func(yield func(token.Pos) bool) {
	return func(yield func(token.Pos) bool) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() && fails(n.Type) {
					yield(n.Pos())
				}
				return false
			case *ast.TypeSpec:
				if i, ok := n.Type.(*ast.InterfaceType); ok {
					for _, field := range i.Methods.List {
						if sig, ok := field.Type.(*ast.FuncType); ok && field.Names[0].IsExported() && fails(sig) {
							yield(field.Pos())
						}
					}
				}
				return false
			}
			return true
		})
	}
}

// fails reports whether the last result is an error.
func fails(sig *ast.FuncType) bool {
	if sig.Results == nil || len(sig.Results.List) == 0 {
		return false
	}
	last, ok := sig.Results.List[len(sig.Results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}

// startsLine returns the blanks before a column if there is nothing else.
func startsLine(line []byte, column int) (indent string, ok bool) {
	indent = string(line[:column])
	return indent, strings.TrimSpace(indent) == ""
}

// strip removes the directives on lines of a file, and returns how many there
// were.
func strip(path string, drop func(line int) bool) (int, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	n, i := 0, 0
	lines := slices.DeleteFunc(bytes.SplitAfter(src, []byte("\n")), func(line []byte) bool {
		i++
		if !strings.HasPrefix(strings.TrimSpace(string(line)), directive) || !drop(i) {
			return false
		}
		n++
		return true
	})
	if n == 0 {
		return 0, nil
	}
	return n, os.WriteFile(path, bytes.Join(lines, nil), 0o666)
}

// blank replaces the directive on a line by an empty comment, so that all
// others stay where they are, and returns how many there were.
func blank(path string, line int) (int, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return 0, nil // it is no file of the module
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	if line < 1 || line > len(lines) || !bytes.HasPrefix(bytes.TrimSpace(lines[line-1]), []byte(directive)) {
		return 0, nil
	}
	lines[line-1] = []byte("//\n")
	return 1, os.WriteFile(path, bytes.Join(lines, nil), 0o666)
}
