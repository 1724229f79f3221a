package generator

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// Renamed returns a line for each rule on the disk whose buckets would get
// another name, or be left behind, if the files became what they shall be:
// what callers have used up would be forgotten. Rules are told apart by the
// variables that hold them. Files that cannot be read or do not parse have no
// rules.
func (r *Result) Renamed() []string {
	before, after := map[string]string{}, map[string]string{}
	for _, f := range r.Files {
		old, _ := genfile.ReadFile(f.Path)
		in := relative(r.dir, f.Path)
		maps.Copy(before, ruleNames(in, old))
		maps.Copy(after, ruleNames(in, f.Content))
	}
	kept := slices.Collect(maps.Values(after))
	var lines []string
	for _, id := range slices.Sorted(maps.Keys(before)) {
		was, now := before[id], after[id]
		switch {
		case slices.Contains(kept, was):
		case now == "":
			lines = append(lines, fmt.Sprintf("the buckets of %s would be left behind", was))
		default:
			lines = append(lines, fmt.Sprintf("the buckets of %s would be those of %s", was, now))
		}
	}
	return lines
}

// ruleNames are the names of the rules in a generated file by the variables
// that hold them, behind the name of the file.
func ruleNames(file string, src []byte) map[string]string {
	names := map[string]string{}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return names
	}
	for _, decl := range f.Decls {
		vars, ok := decl.(*ast.GenDecl)
		if !ok || vars.Tok != token.VAR {
			continue
		}
		for _, spec := range vars.Specs {
			v := spec.(*ast.ValueSpec)
			if name := ruleName(v); name != "" {
				names[file+" "+v.Names[0].Name] = name
			}
		}
	}
	return names
}

// ruleName is the name in the literal of a rule, or "".
func ruleName(v *ast.ValueSpec) string {
	if len(v.Values) != 1 {
		return ""
	}
	literal, ok := v.Values[0].(*ast.CompositeLit)
	if !ok || len(literal.Elts) == 0 {
		return ""
	}
	typ, ok := literal.Type.(*ast.SelectorExpr)
	field, isField := literal.Elts[0].(*ast.KeyValueExpr)
	if !ok || !isField || typ.Sel.Name != "Rule" {
		return ""
	}
	value, ok := field.Value.(*ast.BasicLit)
	if !ok {
		return ""
	}
	name, err := strconv.Unquote(value.Value)
	if err != nil {
		return ""
	}
	return name
}
