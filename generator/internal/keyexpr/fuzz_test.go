package keyexpr

import (
	"bytes"
	"fmt"
	"go/types"
	"math/rand/v2"
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
	for src := range valueTests {
		f.Add(src, byte(WantKey))
	}
	w := &writer{Rand: rand.New(rand.NewPCG(1, 2))}
	for range 100 {
		f.Add(w.root(3).ours, byte(WantBool))
	}
	f.Add(`n`, byte(WantInt))
	f.Add(`ok`, byte(WantBool))
	f.Fuzz(func(t *testing.T, src string, want byte) {
		expr, problems := Compile(src, fuzzScope(t), Want(want%4))
		for _, p := range problems {
			if p.Off < 0 || p.Off > len(src) || p.Text == "" || strings.Contains(p.Text, "\n") {
				t.Errorf("%q has the problem %+v", src, p)
			}
		}
		if failed := slices.ContainsFunc(problems, func(p Problem) bool { return !p.Note }); failed != (expr == nil) {
			t.Fatalf("%q gives %v with the problems %v", src, expr, problems)
		}
		if expr != nil && !tooLarge(expr) {
			checkCode(t, src, expr)
		}
	})
}

// tooLarge reports whether an expression is a constant that has no code.
func tooLarge(expr *Expr) bool {
	return expr.Const != nil && isUntyped(expr.Type) && is(expr.Type, types.IsInteger) && !fits(expr.Const, intType)
}

// fuzzScope is testScope where everything is supported.
func fuzzScope(t testing.TB) *Scope {
	sc := *testScope(t)
	sc.Globals = true
	sc.Limiter = func() *jen.Statement { return jen.Id("w").Dot("limiter") }
	return &sc
}

const limiterSource = `package sms

var w struct{ limiter interface{ Env(string, int64) int64; Config(string, int64) int64 } }
`

// checkCode fails when the code of expr does not type-check, in one of the
// ways in which it is written.
func checkCode(t *testing.T, src string, expr *Expr) {
	for _, name := range expr.Vars {
		if strings.HasPrefix(name, "lost") {
			t.Fatalf("%q uses %s, whose type is not known", src, name)
		}
	}
	var out bytes.Buffer
	if err := generatedFile(expr).Render(&out); err != nil {
		t.Fatalf("%q compiles to code that does not parse: %v", src, err)
	}
	if _, err := load().check(smsPath, smsSource, limiterSource, out.String()); err != nil {
		t.Errorf("%q compiles to code that does not: %v\n%s", src, err, out.Bytes())
	}
}

func generatedFile(expr *Expr) *jen.File {
	file := jen.NewFilePathName(smsPath, "sms")
	file.ImportNames(map[string]string{authPath: "auth", "time": "time", "context": "context"})
	file.ImportAlias(runtimePath, "ratelimit")
	for i, g := range expr.Globals {
		g.Name = fmt.Sprintf("global%d", i)
		file.Var().Id(g.Name).Op("=").Add(g.Code())
	}
	compiles := func(typ string) bool { return !strings.Contains(typ, "Missing") }
	method := func(name string, body func(g *jen.Group)) {
		file.Func().Params(jen.Id("s").Op("*").Id("Service")).Id(name).Params(jen.Id(parameters(compiles))).
			Params(jen.Id("result").Any(), jen.Id("problem").Error()).BlockFunc(body)
	}
	taken := []string{"s", "result", "problem", "key"}
	for _, v := range vars {
		taken = append(taken, v.name)
	}
	frame := Frame{Taken: taken, Err: "problem", Fail: func(err *jen.Statement) jen.Code { return jen.Return(jen.Nil(), err) }}
	method("inline", func(g *jen.Group) {
		g.Id("_").Op("=").Add(expr.Code())
		for _, p := range expr.Pieces {
			g.Add(pieceBlock(p))
		}
		g.Return(jen.Nil(), jen.Nil())
	})
	method("value", func(g *jen.Group) { g.Return(expr.Value(g, frame), jen.Nil()) })
	method("returned", func(g *jen.Group) {
		expr.Return(g, frame, func(value *jen.Statement) jen.Code { return jen.Return(value, jen.Nil()) })
	})
	if expr.Pieces != nil {
		method("appended", func(g *jen.Group) {
			expr.Append(g, frame, "key", jen.Index().Byte().Parens(jen.Nil()))
			g.Return(jen.String().Call(jen.Id("key")), jen.Nil())
		})
	}
	file.Var().Defs(jen.Id("_").Qual("time", "Duration"), jen.Id("_").Qual("context", "Context"), jen.Id("_").Qual(authPath, "Level"))
	return file
}

func pieceBlock(p Piece) *jen.Statement {
	names := map[PieceKind]string{Literal: "string", String: "string", Int: "int64", Uint: "uint64", Bool: "bool"}
	return jen.Block(jen.Var().Id("part").Id(names[p.Kind]).Op("=").Add(p.Code()), jen.Id("_").Op("=").Id("part"))
}
