package keyexpr

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the wanted code")

var wants = map[string]Want{"key": WantKey, "string": WantString, "int": WantInt, "bool": WantBool}

// TestCode compares the functions that expressions are written as with those
// in testdata/code.txt, which has sections of a source, behind what is wanted
// of it, and its code.
func TestCode(t *testing.T) {
	path := filepath.Join("testdata", "code.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for i, section := range strings.Split(string(text), "\n== ") {
		if i == 0 {
			all.WriteString(section)
			continue
		}
		head, code, _ := strings.Cut(section, "\n")
		got := sectionCode(t, head)
		fmt.Fprintf(&all, "\n== %s\n%s", head, got)
		if diff := cmp.Diff(strings.TrimSpace(code), strings.TrimSpace(got)); diff != "" && !*update {
			t.Errorf("code of %s (-want +got):\n%s", head, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sectionCode writes an expression in the ways that there are.
func sectionCode(t *testing.T, head string) string {
	want, src, _ := strings.Cut(head, ": ")
	expr, problems := Compile(src, generatedScope(t), wants[want])
	var out strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&out, "// at %d: %s\n", p.Off, p.Text)
	}
	if expr == nil {
		t.Fatalf("Compile(%s): %v", src, problems)
	}
	for i, g := range expr.Globals {
		g.Name = fmt.Sprintf("send%s%d", g.Use, i+1)
		fmt.Fprintf(&out, "// %s %s\n%#v\n", g.Name, g.Doc, jen.Var().Id(g.Name).Op("=").Add(g.Code()))
	}
	fmt.Fprintln(&out, properties(expr))
	appends := expr.Pieces != nil && len(expr.Pieces) > 1
	if !expr.Steps {
		fmt.Fprintf(&out, "%#v\n", expr.Code())
	} else if !appends {
		fmt.Fprintf(&out, "%#v\n", returning(expr))
	}
	if appends {
		fmt.Fprintf(&out, "%#v\n", appending(expr))
	}
	return out.String()
}

func properties(expr *Expr) string {
	words := []string{expr.Type.String()}
	if expr.CanFail {
		words = append(words, "can fail")
	}
	if !expr.Native {
		words = append(words, "on the VM")
	}
	if expr.Limiter {
		words = append(words, "asks the limiter")
	}
	return strings.Join(words, ", ")
}

var failing = Frame{Err: "err", Fail: func(err *jen.Statement) jen.Code { return jen.Return(jen.Id("none"), err) }}

func returning(expr *Expr) *jen.Statement {
	return jen.Func().Id("send").Params().BlockFunc(func(g *jen.Group) {
		expr.Return(g, failing, func(value *jen.Statement) jen.Code { return jen.Return(value, jen.Nil()) })
	})
}

func appending(expr *Expr) *jen.Statement {
	return jen.Func().Id("send").Params().BlockFunc(func(g *jen.Group) {
		expr.Append(g, failing, "key", jen.Id("buf").Index(jen.Op(":").Lit(0)))
		g.Return(jen.String().Call(jen.Id("key")), jen.Nil())
	})
}
