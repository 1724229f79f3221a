package keyexpr

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

const genericPath = "example.com/shop/generic"

const genericSource = `package generic

type Named interface {
	~string
	String() string
}

type Number interface{ ~int8 | ~int64 }

type Both interface {
	Number
	~uint | uint16
}

func get[
	S ~string, N Number, U ~uint8 | ~uint64, M ~int | ~uint, B ~bool, F ~float64 | ~float32,
	T Named, E string | int64 | bool, X ~string | ~int, A any, C comparable, L []string, P interface{ *int },
](s S, n N, u U, m M, b B, f F, t T, e E, x X, a A, c C, l L, p P, list []S, byName map[S]N) {
}
`

// genericScope has the parameters of get.
func genericScope(t *testing.T) *Scope {
	t.Helper()
	pkg, err := load().check(genericPath, genericSource)
	if err != nil {
		t.Fatal(err)
	}
	sc := &Scope{Pkg: pkg, Globals: true}
	for param := range pkg.Scope().Lookup("get").Type().(*types.Signature).Params().Variables() {
		sc.Vars = append(sc.Vars, variable(param.Name(), param.Type()))
	}
	return sc
}

func TestTypeParameters(t *testing.T) {
	for _, tt := range []struct {
		src, code string
		want      Want
	}{
		{`"k" + s`, `"k" + string(s)`, WantKey},
		{`n`, `strconv.FormatInt(int64(n), 10)`, WantKey},
		{`u + ":"`, `strconv.FormatUint(uint64(u), 10) + ":"`, WantKey},
		{`b`, `strconv.FormatBool(bool(b))`, WantKey},
		{`t`, `t.String()`, WantKey},
		{`e`, `fmt.Sprint(e)`, WantKey},
		{`"m" + m`, `func() string { var text string; if m < 0 { text = strconv.FormatInt(int64(m), 10) } else { text = strconv.FormatUint(uint64(m), 10) }; return "m" + text }()`, WantKey},
		{`list[0] + s[1:]`, `string(list[0]) + string(s)[min(1, len(string(s))):]`, WantKey},
		{`byName[s]`, `strconv.FormatInt(int64(byName[s]), 10)`, WantKey},
		{`n + 1`, `int(int64(n)) + 1`, WantInt},
		{`u`, `uint64(u)`, WantInt},
		{`m * 2`, `int(m) * 2`, WantInt},
		{`s == "x"`, `string(s) == "x"`, WantBool},
		{`f > n`, `float64(f) > float64(int64(n))`, WantBool},
		{`b && len(list) > 1`, `bool(b) && len(list) > 1`, WantBool},
		{`s in list`, `slices.Contains(list, s)`, WantBool},
		{`s in byName ? 1 : 2`, `func() int { choice := 2; _, found := byName[s]; if found { choice = 1 }; return choice }()`, WantInt},
		{`s contains "x"`, `strings.Contains(string(s), "x")`, WantBool},
	} {
		expr, problems := Compile(tt.src, genericScope(t), tt.want)
		if expr == nil {
			t.Errorf("Compile(%s): %v", tt.src, problems)
			continue
		}
		if got := oneLine(expr.Code()); got != tt.code {
			t.Errorf("%s is written as\n\t%s, want\n\t%s", tt.src, got, tt.code)
		}
		checkGeneric(t, tt.src, expr)
	}
}

func oneLine(code *jen.Statement) string {
	text := strings.TrimPrefix(fmt.Sprintf("%#v", jen.Id("_").Op("=").Add(code)), "_ = ")
	text = strings.Join(strings.Fields(text), " ")
	for _, at := range []string{"var text string", "}", "10)", "[s]", ":= 2"} {
		for _, next := range []string{" if", " return", " _,"} {
			text = strings.ReplaceAll(text, at+next, at+";"+next)
		}
	}
	return text
}

// checkGeneric fails when code does not type-check in a function like get.
func checkGeneric(t *testing.T, src string, expr *Expr) {
	head := genericSource[strings.Index(genericSource, "func get["):strings.LastIndex(genericSource, "}")]
	file := jen.NewFilePathName(genericPath, "generic")
	file.Id(strings.Replace(head, "func get", "func generated", 1)).Id("_").Op("=").Add(expr.Code()).Line().Id("}")
	code := fmt.Sprintf("%#v", file)
	if _, err := load().check(genericPath, genericSource, code); err != nil {
		t.Errorf("%s compiles to code that does not: %v\n%s", src, err, code)
	}
}

func TestTypeParametersRefused(t *testing.T) {
	for src, want := range map[string]string{
		`"f" + f`:   "f of type F has no text: it may be of a type that has none; constrain it, such as to ~string or fmt.Stringer",
		`"x" + x`:   "x of type X may be of several kinds: pass it to a function that knows them",
		`"a" + a`:   "a of type A has no text: it may be of a type that has none; constrain it, such as to ~string or fmt.Stringer",
		`"c" + c`:   "c of type C has no text: it may be of a type that has none; constrain it, such as to ~string or fmt.Stringer",
		`a == 1`:    "a of type A may be of several kinds: pass it to a function that knows them",
		`x + 1`:     "x of type X may be of several kinds: pass it to a function that knows them",
		`e == "a"`:  "e of type E may be of several kinds: pass it to a function that knows them",
		`len(l)`:    "l of type L may be of several kinds: pass it to a function that knows them",
		`p == nil`:  "p of type P is never nil",
		`a.nothing`: "a of type A has no field or method nothing",
	} {
		_, problems := Key(src, genericScope(t))
		if len(problems) != 1 || problems[0].Text != want {
			t.Errorf("Key(%s) has the problems %v, want %q", src, problems, want)
		}
	}
}
