package keyexpr

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

// FuzzCompile looks for sources on which the compiler panics, gives offsets
// outside of the source, or emits code that is no Go.
func FuzzCompile(f *testing.F) {
	for _, tt := range keyTests {
		f.Add(tt.src, byte(WantKey))
	}
	for _, tt := range refusedTests {
		f.Add(strings.Replace(tt.src, mark, "", 1), byte(WantString))
	}
	f.Add(`n`, byte(WantInt))
	f.Add(`ok`, byte(WantBool))
	f.Fuzz(func(t *testing.T, src string, want byte) {
		expr, problems := Compile(src, testScope(t), Want(want%4))
		for _, p := range problems {
			if p.Off < 0 || p.Off > len(src) || p.Text == "" || strings.Contains(p.Text, "\n") {
				t.Errorf("%q has the problem %+v", src, p)
			}
		}
		if failed := slices.ContainsFunc(problems, func(p Problem) bool { return !p.Note }); failed != (expr == nil) {
			t.Fatalf("%q gives %v with the problems %v", src, expr, problems)
		}
		if expr != nil {
			checkCode(t, src, expr)
		}
	})
}

// checkCode fails when the code of expr does not type-check.
func checkCode(t *testing.T, src string, expr *Expr) {
	compiles := func(typ string) bool { return !strings.Contains(typ, "Missing") }
	for _, name := range expr.Vars {
		if strings.HasPrefix(name, "lost") {
			t.Fatalf("%q uses %s, whose type is not known", src, name)
		}
	}
	file := jen.NewFilePathName(smsPath, "sms")
	file.ImportNames(map[string]string{authPath: "auth", "time": "time", "context": "context"})
	file.Func().Params(jen.Id("s").Op("*").Id("Service")).Id("generated").Params(jen.Id(parameters(compiles))).BlockFunc(func(g *jen.Group) {
		g.Id("_").Op("=").Add(expr.Code())
		for _, p := range expr.Pieces {
			g.Add(appendPart(p))
		}
	})
	file.Var().Defs(jen.Id("_").Qual("time", "Duration"), jen.Id("_").Qual("context", "Context"), jen.Id("_").Qual(authPath, "Level"))
	code := fmt.Sprintf("%#v", file)
	if _, err := load().check(smsPath, smsSource, code); err != nil {
		t.Errorf("%q compiles to code that does not: %v\n%s", src, err, code)
	}
}

func appendPart(p Piece) *jen.Statement {
	names := map[PieceKind]string{Literal: "string", String: "string", Int: "int64", Uint: "uint64", Bool: "bool"}
	return jen.Block(jen.Var().Id("part").Id(names[p.Kind]).Op("=").Add(p.Code()), jen.Id("_").Op("=").Id("part"))
}
