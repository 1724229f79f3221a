package keyexpr

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

// worldNames are the variables of the expressions with the fields of Vals that
// they stand for.
var worldNames = strings.Fields(`n:N m:M i8:I8 i16:I16 i32:I32 i64:I64 u:U u8:U8 u16:U16 u32:U32 u64:U64 f:F g:G f32:F32 s:S t:T ok:Ok on:On
	kind:Kind size:Size label:Label flag:Flag shade:Shade pn:Pn ps:Ps pb:Pb user:User friend:Friend ints:Ints wide:Wide bytes:Bytes floats:Floats
	strs:Strs labels:Labels users:Users ptrs:Ptrs array:Array limits:Limits byID:ByID took:Took when:When anybody:Anybody`)

// worldScope is the scope of testdata/agree/world.go.
func worldScope(t *testing.T) *Scope {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join("testdata", "agree", "world.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("main", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sc := &Scope{Pkg: pkg, Globals: true}
	vals := pkg.Scope().Lookup("Vals").Type()
	for _, pair := range worldNames {
		name, field, _ := strings.Cut(pair, ":")
		obj, _, _ := types.LookupFieldOrMethod(vals, true, pkg, field)
		sc.Vars = append(sc.Vars, Var{Name: name, Type: obj.Type(), Code: func() *jen.Statement { return jen.Id("v").Dot(field) }})
	}
	return sc
}

// agreement counts what became of random expressions.
type agreement struct{ written, refused, pairs, failing, different, uncompiled int }

var (
	agreeSeed    = flag.Uint64("agree.seed", 1, "the first seed of random expressions")
	agreeBatches = flag.Int("agree.batches", 0, "how many batches of them, 0 for as many as the test is to have")
	agreeVerbose = flag.Bool("agree.verbose", false, "log the expressions that are refused")
)

// The whole comparison, and the part of it that is made by default.
const (
	batchSize                = 700
	allBatches, allRounds    = 8, 100
	someBatches, someRounds  = 1, 30
	allPairs, pairsAtMostOut = batchSize * allBatches * allRounds, 20 // one in so many is refused, or unknown to expr
)

// TestAgree compares native code with expr's VM.
func TestAgree(t *testing.T) {
	batches, rounds := someBatches, someRounds
	if os.Getenv("RATELIMIT_TEST_FULL") != "" {
		batches, rounds = allBatches, allRounds
	}
	if *agreeBatches > 0 {
		batches = *agreeBatches
	}
	sc := worldScope(t)
	var total agreement
	for i := range batches {
		total.add(agree(t, sc, *agreeSeed+uint64(i), batchSize, rounds))
	}
	fmt.Printf("native code and expr's VM: %d pairs of an expression and values (%d%% of the comparison), %d fail on both sides, %d differ; "+
		"%d expressions, %d refused, %d not known to expr\n",
		total.pairs, 100*total.pairs/allPairs, total.failing, total.different, total.written, total.refused, total.uncompiled)
	if total.different > 0 {
		t.Errorf("of %d pairs %d differ", total.pairs, total.different)
	}
	if least := batches * batchSize * rounds; total.pairs < least-least/pairsAtMostOut {
		t.Errorf("only %d pairs of %d were compared", total.pairs, least)
	}
}

func (a *agreement) add(b agreement) {
	a.written += b.written
	a.refused += b.refused
	a.pairs += b.pairs
	a.failing += b.failing
	a.different += b.different
	a.uncompiled += b.uncompiled
}

// agree builds a program of random expressions and runs it.
func agree(t *testing.T, sc *Scope, seed uint64, expressions, rounds int) agreement {
	dir := t.TempDir()
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
	var count agreement
	var entries []entry
	for range expressions {
		s := w.root(1 + w.IntN(4))
		expr, problems := Compile(s.ours, sc, wantAny)
		if count.written++; expr == nil {
			count.refused++
			if *agreeVerbose {
				t.Logf("refused: %s: %v", s.ours, problems)
			}
			continue
		}
		entries = append(entries, entry{s, expr})
	}
	writeFile(t, filepath.Join(dir, "entries.go"), entriesSource(t, entries))
	for _, name := range []string{"world.go", "main.go"} {
		writeFile(t, filepath.Join(dir, name), readFile(t, filepath.Join("testdata", "agree", name)))
	}
	module(t, dir, "example.com/agree")
	out := goCommand(t, dir, "run", ".", strconv.Itoa(rounds), fmt.Sprint(seed*1_000_003))
	m := regexp.MustCompile(`pairs (\d+) failing (\d+) different (\d+) uncompiled (\d+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no result in %s", out)
	}
	for i, to := range []*int{&count.pairs, &count.failing, &count.different, &count.uncompiled} {
		*to, _ = strconv.Atoi(string(m[i+1]))
	}
	if count.different > 0 || count.uncompiled > 0 {
		t.Logf("%s", out)
	}
	return count
}

type entry struct {
	spelling
	expr *Expr
}

// entriesSource declares the native functions of all expressions.
func entriesSource(t *testing.T, entries []entry) string {
	file := jen.NewFilePathName("main", "main")
	file.ImportNames(map[string]string{programPath: "exprkey"})
	list := make([]jen.Code, len(entries))
	for i, e := range entries {
		name := fmt.Sprintf("native%d", i)
		for n, g := range e.expr.Globals {
			g.Name = fmt.Sprintf("native%d%s%d", i, g.Use, n)
			file.Var().Id(g.Name).Op("=").Add(g.Code())
		}
		file.Add(nativeFunction(name, e.expr))
		list[i] = jen.Line().Values(jen.Lit(e.ours), jen.Lit(e.theirs), jen.Id(name))
	}
	file.Var().Id("entries").Op("=").Index().Id("entry").Values(append(list, jen.Line())...)
	var out bytes.Buffer
	if err := file.Render(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// nativeFunction writes an expression as a function that cannot panic.
func nativeFunction(name string, expr *Expr) *jen.Statement {
	frame := Frame{Err: "err", Taken: []string{"v", "result", "reason"}, Fail: func(err *jen.Statement) jen.Code { return jen.Return(jen.Nil(), err) }}
	return jen.Func().Id(name).Params(jen.Id("v").Op("*").Id("Vals")).Params(jen.Id("result").Any(), jen.Id("err").Error()).BlockFunc(func(g *jen.Group) {
		if expr.CanFail {
			g.Defer().Func().Params().Block(jen.If(jen.Id("reason").Op(":=").Recover(), jen.Id("reason").Op("!=").Nil()).Block(
				jen.Id("err").Op("=").Qual("fmt", "Errorf").Call(jen.Lit("%v"), jen.Id("reason")),
			)).Call()
		}
		expr.Return(g, frame, func(value *jen.Statement) jen.Code { return jen.Return(value, jen.Nil()) })
	})
}
