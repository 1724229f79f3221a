package generator

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// buckets are what the names of a rule's buckets say besides the key of a call.
type buckets struct {
	name      string
	algorithm rules.Algorithm
	window    time.Duration
	calendar  rules.Calendar
	zone      string
	tag       string
	private   bool
}

// state is what the buckets hold, as a directive says it.
func (b buckets) state() string {
	if b.calendar != rules.NoCalendar {
		return fmt.Sprintf("%v in %s", b.calendar, b.zone)
	}
	return fmt.Sprintf("%s %v", b.algorithm.Info().Item, b.window)
}

func (b buckets) tagText() string {
	if b.tag == "" {
		return "no tag"
	}
	return "tag " + b.tag
}

// bucketsIn are those of the rules in a generated file by the variables that
// hold them, behind the name of the file.
func bucketsIn(file string, src []byte) map[string]buckets {
	all := map[string]buckets{}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return all
	}
	for _, decl := range f.Decls {
		vars, ok := decl.(*ast.GenDecl)
		if !ok || vars.Tok != token.VAR {
			continue
		}
		for _, spec := range vars.Specs {
			v := spec.(*ast.ValueSpec)
			if b := bucketsOf(v); b.name != "" {
				all[file+" "+v.Names[0].Name] = b
			}
		}
	}
	return all
}

// bucketsOf are those of the rule that a variable holds, without a name where it
// holds none.
func bucketsOf(v *ast.ValueSpec) buckets {
	var b buckets
	if len(v.Values) != 1 {
		return b
	}
	literal, ok := v.Values[0].(*ast.CompositeLit)
	if !ok || selected(literal.Type) != "Rule" {
		return b
	}
	for _, element := range literal.Elts {
		if field, ok := element.(*ast.KeyValueExpr); ok {
			b.read(field)
		}
	}
	b.zone = rules.Spec{Calendar: b.calendar, Zone: b.zone}.ZoneName()
	return b
}

// read takes what a field of the literal says.
func (b *buckets) read(field *ast.KeyValueExpr) {
	name, ok := field.Key.(*ast.Ident)
	if !ok {
		return
	}
	switch name.Name {
	case "Name":
		b.name = literalText(field.Value)
	case "Algorithm":
		b.algorithm = algorithm(selected(field.Value))
	case "Window":
		b.window = length(field.Value)
	case "Calendar":
		b.calendar = calendar(selected(field.Value))
	case "Zone":
		b.zone = literalText(field.Value)
	case "Tag":
		b.tag = literalText(field.Value)
	case "Private":
		value, ok := field.Value.(*ast.Ident)
		b.private = ok && value.Name == "true"
	}
}

func algorithm(constant string) rules.Algorithm {
	for _, a := range rules.Algorithms() {
		if a.Info().Const == constant {
			return a
		}
	}
	return rules.FixedWindow
}

func calendar(constant string) rules.Calendar {
	for _, c := range rules.Calendars() {
		if c.Info().Const == constant {
			return c
		}
	}
	return rules.NoCalendar
}

// length is a duration as generated code writes it.
func length(x ast.Expr) time.Duration {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return length(x.X) * length(x.Y)
	case *ast.BasicLit:
		n, _ := strconv.ParseInt(x.Value, 10, 64)
		return time.Duration(n)
	}
	return model.Unit(selected(x))
}

// selected is the name behind a package's, or "".
func selected(x ast.Expr) string {
	if s, ok := x.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

func literalText(x ast.Expr) string {
	value, ok := x.(*ast.BasicLit)
	if !ok {
		return ""
	}
	text, _ := strconv.Unquote(value.Value)
	return text
}
