package keyexpr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"
)

// valueTests are keys with the texts that they have for the arguments of
// setupSource.
var valueTests = map[string]string{
	`"sms:uid:"+userID`:                         "sms:uid:-7",
	`"a" + 1 + 2 + "," + (1 + 2)`:               "a12,3",
	`1 + 2 + "x"`:                               "3x",
	`Region + Full + On`:                        "eu18446744073709551615true",
	`u8 + "," + up + "," + n`:                   "255,18446744073709551615,-9223372036854775808",
	`kind + phone + mobile`:                     "-300phone+49 \"ü\"\n",
	`color + "," + Fruit`:                       "color blue,color red",
	`code + "," + codePtr`:                      "code,code",
	`temp + "," + took`:                         "warm,1m30s",
	`role + "," + level + "," + auth.Member`:    "guest,9,member",
	`stringer + ""`:                             "color green",
	`val.Mobile + val.in + val.Kind + val.Code`: "m1i12code",
	`req.User.ID + ":" + req.Tenant + req.Code`: "5:tenantcode",
	`in.Key() + val.Path() + s.base.Path()`:     "key of m/tenant/base",
	`s.prefix + s.Tenant() + s.Copy().prefix`:   "ppp",
	`normalize("a" + userID + ok + u8)`:         "<a-7true255>",
	`auth.Join(",", mobile, "b") + auth.Prefix`: "+49 \"ü\"\n,b,auth:",
	`auth.UserID(req.User) + auth.Realm`:        "5shop",
	`wide(1, 2.5, true) + wide(ratio, nil, On)`: "widewide",
	`count() + hash(mobile) + calc(21)`:         "3own +49 \"ü\"\n42",
	`when.Unix() + "," + when.Format("2006")`:   "0,1970",
	`größe + "é\t\x41\u00e9"`:                   "4é\tAé",
	`takePointer(s) + take(s.Copy())`:           "pp",
}

const setupSource = `package sms

import (
	"errors"
	"time"

	"example.com/shop/auth"
)

func pointTo[T any](v T) *T { return &v }

func KeyValues() map[string]string {
	request := Request{
		Base: &Base{Tenant: "tenant", deep: 3}, Mobile: "m", User: &auth.User{ID: 5, Email: "e"}, Kind: 2, Code: 1, in: "1i1",
		Fn: func(s string) string { return s },
	}
	s := &Service{prefix: "p", base: Base{Tenant: "base"}}
	return s.keys(nil, -7, "+49 \"ü\"\n", -1<<63, 255, 1<<64-1, true, true, -300, "phone", "blue", 4, pointTo(Code(1)), 1.5, 2.5,
		time.Unix(0, 0).UTC(), pointTo(time.Unix(0, 0)), 90*time.Second, Stamp{}, 0, errors.New("e"), &Message{Id: 1, Text: "t"}, &request,
		request, request, 0, 9, auth.User{ID: 5, Email: "e"}, nil, nil, Nothing{}, nil, Color("green"), func() string { return "fn" }, 4)
}

// ZeroValues evaluates the keys that cannot fail with arguments that are all
// zero.
func ZeroValues() int {
	return len((*Service)(nil).keysThatCannotFail())
}
`

const mainSource = `package main

import (
	"encoding/json"
	"os"

	"example.com/shop/sms"
)

func main() {
	sms.ZeroValues()
	if err := json.NewEncoder(os.Stdout).Encode(sms.KeyValues()); err != nil {
		panic(err)
	}
}
`

// TestRun compiles the code of all keys of the tests and runs it.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.26\n",
		"main.go":      mainSource,
		"auth/auth.go": authSource,
		"sms/sms.go":   smsSource,
		"sms/setup.go": setupSource,
		"sms/keys.go":  keysSource(t),
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := make(map[string]string)
	if err := json.Unmarshal(goRun(t, dir), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(valueTests, got); diff != "" {
		t.Errorf("texts of keys (-want +got):\n%s", diff)
	}
}

func goRun(t *testing.T, dir string) []byte {
	t.Helper()
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the code of the keys does not run: %v\n%s", err, stderr.Bytes())
	}
	return out
}

// keysSource declares a method that returns the texts of valueTests by their
// sources, and one that evaluates the keys of keyTests that cannot fail.
func keysSource(t *testing.T) string {
	file := jen.NewFilePathName(smsPath, "sms")
	file.ImportNames(map[string]string{authPath: "auth", "time": "time", "context": "context"})
	texts := jen.Dict{}
	for src := range valueTests {
		texts[jen.Lit(src)] = keyFunc(t, src).Call()
	}
	compiles := func(typ string) bool { return !strings.Contains(typ, "Missing") }
	params := parameters(compiles)
	file.Func().Params(jen.Id("s").Op("*").Id("Service")).Id("keys").Params(jen.Id(params)).
		Map(jen.String()).String().Block(jen.Return(jen.Map(jen.String()).String().Values(texts)))
	file.Func().Params(jen.Id("s").Op("*").Id("Service")).Id("keysThatCannotFail").Params().
		Index().String().BlockFunc(func(g *jen.Group) { zeroKeys(t, g, compiles) })
	file.Func().Id("everyKeyCompiles").Params(jen.Id("s").Op("*").Id("Service"), jen.Id(params)).
		Index().String().Block(jen.Return(jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, tt := range keyTests {
			g.Line().Add(keyFunc(t, tt.src).Call())
		}
	})))
	file.Var().Id("_").Op("=").Id("everyKeyCompiles")
	file.Var().Defs(
		jen.Id("_").Qual("time", "Duration"),
		jen.Id("_").Qual("context", "Context"),
		jen.Id("_").Qual(authPath, "Level"),
	)
	return fmt.Sprintf("%#v", file)
}

func zeroKeys(t *testing.T, g *jen.Group, compiles func(string) bool) {
	for _, v := range vars {
		if compiles(v.typ) {
			g.Var().Id(v.name).Id(v.typ)
			g.Id("_").Op("=").Id(v.name)
		}
	}
	g.Return(jen.Index().String().ValuesFunc(func(g *jen.Group) {
		for _, tt := range keyTests {
			if !tt.canFail {
				g.Line().Add(keyFunc(t, tt.src).Call())
			}
		}
	}))
}

// keyFunc returns a function that gives the text of a key, and panics when
// that of the pieces is another one.
func keyFunc(t *testing.T, src string) *jen.Statement {
	expr, problems := Key(src, testScope(t))
	if len(problems) > 0 {
		t.Fatalf("Key(%s): %v", src, problems)
	}
	return jen.Func().Params().String().BlockFunc(func(g *jen.Group) {
		g.Id("text").Op(":=").Add(expr.Code())
		g.Var().Id("parts").String()
		for _, p := range expr.Pieces {
			g.Add(appendPiece(p))
		}
		g.If(jen.Id("text").Op("!=").Id("parts")).Block(jen.Panic(jen.Id("text").Op("+").Lit(" != ").Op("+").Id("parts")))
		g.Return(jen.Id("text"))
	})
}

func appendPiece(p Piece) *jen.Statement {
	types := map[PieceKind]string{Literal: "string", String: "string", Int: "int64", Uint: "uint64", Bool: "bool"}
	part := jen.Id("part")
	switch p.Kind {
	case Int:
		part = jen.Qual("strconv", "FormatInt").Call(part, jen.Lit(10))
	case Uint:
		part = jen.Qual("strconv", "FormatUint").Call(part, jen.Lit(10))
	case Bool:
		part = jen.Qual("strconv", "FormatBool").Call(part)
	}
	return jen.Block(
		jen.Var().Id("part").Id(types[p.Kind]).Op("=").Add(exactly(types[p.Kind], p.Code())),
		jen.Id("parts").Op("+=").Add(part),
	)
}

// exactly returns code that compiles only when the code has the given type.
func exactly(typ string, code *jen.Statement) *jen.Statement {
	return jen.Func().Params(jen.Id("p").Op("*").Id(typ)).Id(typ).Block(jen.Return(jen.Op("*").Id("p"))).
		Call(jen.Id("pointTo").Call(code))
}
