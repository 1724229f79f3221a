package keyexpr

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"
)

// valueTests are keys with the texts that they have for the arguments of
// setupSource, or the errors.
var valueTests = map[string]string{
	`"sms:uid:"+userID`:                                   "sms:uid:-7",
	`"a" + 1 + 2 + "," + (1 + 2)`:                         "a12,3",
	`1 + 2 + "x"`:                                         "3x",
	`Region + Full + On`:                                  "eu18446744073709551615true",
	`u8 + "," + up + "," + n`:                             "255,18446744073709551615,-9223372036854775808",
	`kind + phone + mobile`:                               "-300phone+49 \"ü\"\n",
	`color + "," + Fruit`:                                 "color blue,color red",
	`code + "," + codePtr`:                                "code,code",
	`temp + "," + took`:                                   "warm,1m30s",
	`role + "," + level + "," + auth.Member`:              "guest,9,member",
	`stringer + ""`:                                       "color green",
	`val.Mobile + val.in + val.Kind + val.Code`:           "m1i12code",
	`req.User.ID + ":" + req.Tenant + req.Code`:           "5:tenantcode",
	`in.Key() + val.Path() + s.base.Path()`:               "key of m/tenant/base",
	`s.prefix + s.Tenant() + s.Copy().prefix`:             "ppp",
	`normalize("a" + userID + ok + u8)`:                   "<a-7true255>",
	`auth.Join(",", mobile, "b") + auth.Prefix`:           "+49 \"ü\"\n,b,auth:",
	`auth.UserID(req.User) + auth.Realm`:                  "5shop",
	`wide(1, 2.5, true) + wide(ratio, nil, On)`:           "widewide",
	`count() + lower(mobile) + calc(21)`:                  "3own +49 \"ü\"\n42",
	`when.Unix() + "," + when.Format("2006")`:             "0,1970",
	`größe + "é\t\x41\u00e9"`:                             "4é\tAé",
	`takePointer(s) + takeValue(s.Copy()) + takeValue(s)`: "ppp",

	// Choices, texts that may be missing, errors.
	`"k" + (ok ? "vip" : kind) + userID`:                  "kvip-7",
	`ok ? flag ? "both:" + userID : "ok" : "none"`:        "both:-7",
	`name ?? req?.User?.Email ?? "none"`:                  "e",
	`lookup(mobile)?.Email ?? start`:                      "start",
	`"" + lookup(mobile)?.Email`:                          "error: lookup(mobile) is nil",
	`"" + name`:                                           "error: runtime error: invalid memory address or nil pointer dereference",
	`lookup(mobile).Email`:                                "error: runtime error: invalid memory address or nil pointer dereference",
	`auth.Lookup(userID) + "x"`:                           "error: no user -7",
	`"<" + auth.Lookup(5) + ">" + auth.Lookup(6)`:         "<user 5>user 6",
	`ok || auth.Lookup(userID) == "" ? "a" : "b"`:         "a",
	`int(mobile)`:                                         `error: strconv.Atoi: parsing "+49 \"ü\"\n": invalid syntax`,
	`counts[2]`:                                           "error: runtime error: index out of range [2] with length 2",
	`counts[-1] + names[-2] + quotas.gold + quotas.a`:     "2a1000",
	`{"a": {"b": true}}["a"]?.c == nil ? "nil" : "there"`: "nil",
	`{"a": {"b": 1}}["a"].c ?? 3`:                         "3",
	`[{"a": 1}][0].b ?? 4`:                                "4",
	`{"a": {"b": true}}["c"] == nil ? "nil" : "there"`:    "nil",
	`{"eu": {"gold": 9}}["eu"].gold + 1`:                  "10",
	`{"gold": 100}["silver"] ?? "none"`:                   "none",
	`{"vip": true}?.[mobile] == nil ? "nil" : "there"`:    "nil",
	`{"gold": 100}?.["silver"] ?? 10`:                     "10",
	`{"a": n}?.b ?? 3`:                                    "3",
	`"" + {"a": n}?.b`:                                    "error: {a: n}?.b is nil",
	`len(filter([{"a": 1}], #.b == nil))`:                 "1",
	`{"free": true}[mobile] != nil ? "x" : "y"`:           "y",
	`{"free": 3}.x == nil ? "x" : "y"`:                    "x",
	`nil == {"free": "a"}["free"] ? "x" : "y"`:            "y",
	`{mobile: true}["q"] == nil ? "x" : "y"`:              "x",
	`"" + {"gold": 100}["silver"]`:                        `error: {gold: 100}.silver is nil`,
	`mobile[:3] + "," + start[-2:] + start[n:]`:           "+49,rtstart",
	`pick(userID, 3) + "" + pick(n, 2) + identity(start)`: "-7-9223372036854775808start",
	`u64 + "," + (u64 + 1) + "," + bytesOf(b"a\xff")`:     "18446744073709551615,0,2",
	`string(ratio) + string(ok) + string(took)`:           "2.5true1m30s",

	// The functions of the language.
	`ip() + "," + user() + "," + caller("none")`: "2001:db8::/64,ann,none",
	`header("x-key") + header("X-None", start)`:  "kstart",
	`header("X-None")`:                           "error: the caller has no header X-None",
	`caller(auth.Lookup(userID))`:                "error: no user -7",
	`caller(ip())`:                               "2001:db8::/64",
	`hash("abc" + userID)`:                       "221098ffca49701c9b2af02bb77f43d7",
	`env("KEYEXPR_TEST_UNSET", 3) + "," + config("limit", ok ? 5 : 4) + "," + config("none", n)`: "3,77,-9223372036854775808",

	// Programs.
	`join(map(names, # + n), ",")`:                         "a-9223372036854775808,b-9223372036854775808",
	`any(names, # == start) ? "in" : "out"`:                "out",
	`len(filter(counts, # > 1)) + ":" + sum(counts)`:       "1:3",
	`first(val.Others).Kind + ":"`:                         "4:",
	`find(val.Others, .Kind == 5)?.Mobile ?? "none"`:       "none",
	`join(map(val.Others, .Mobile + #.Role + .Kind), ",")`: "oguest4",
	`"" + find(names, # == "c")`:                           "error: nil has no text",
	`names[0] + last(names)[5:] + toJSON(counts)[:1]`:      "a[",
	`any(names, auth.Lookup(5) == #) ? 1 : 2`:              "2",
	`any(names, auth.Lookup(-7) == #) ? 1 : 2`:             "error: no user -7",
	`any(names, normalize(#) == "<a>") ? "yes" : "no"`:     "yes",
	`fromJSON("{\"a\": {\"b\": 3}}").a.b == 3`:             "true",
	`anything == nil ? "nil" : "some"`:                     "nil",
	`s.base == s.base ? "same" : "other"`:                  "same",

	// Lists.
	`[mobile[:1], userID, "a,b", "c\\"]`: `+,-7,a\,b,c\\`,
	`["a,", ok ? "x,y" : mobile, start]`: `a\,,x\,y,start`,
	`[user() + ",", [1, 2][1], n]`:       `ann\,,2,-9223372036854775808`,
}

const setupSource = `package sms

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"example.com/shop/auth"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

func pointTo[T any](v T) *T { return &v }

var w = struct{ limiter *ratelimit.Limiter }{ratelimit.New(nil, ratelimit.WithConfig(func(name string) (int64, bool) {
	return 77, name == "limit"
}))}

func KeyValues() map[string]string {
	request := Request{
		Base: &Base{Tenant: "tenant", deep: 3}, Mobile: "m", User: &auth.User{ID: 5, Email: "e"}, Kind: 2, Code: 1, in: "1i1",
		Fn: func(s string) string { return s }, Others: []Request{{Mobile: "o", Kind: 4}},
	}
	s := &Service{prefix: "p", base: Base{Tenant: "base"}}
	ctx := ratelimit.WithCaller(context.Background(), ratelimit.Caller{
		IP: netip.MustParseAddr("2001:db8::1"), User: "ann", Header: map[string][]string{"X-Key": {"k"}},
	})
	return s.keys(ctx, -7, "+49 \"ü\"\n", -1<<63, 255, 1<<64-1, true, true, -300, "phone", "blue", 4, pointTo(Code(1)), 1.5, 2.5,
		time.Unix(0, 0).UTC(), pointTo(time.Unix(0, 0)), 90*time.Second, Stamp{}, 0, errors.New("e"), &Message{Id: 1, Text: "t"}, &request,
		request, request, 0, 9, auth.User{ID: 5, Email: "e"}, nil, nil, Nothing{}, nil, Color("green"), func() string { return "fn" }, 4,
		1<<64-1, []string{"a", "b"}, []int{1, 2}, map[string]int{"gold": 100}, "start", [3]int{})
}

// ZeroValues evaluates the keys that cannot fail with arguments that are all
// zero.
func ZeroValues() {
	for _, err := range (*Service)(nil).keysThatCannotFail() {
		if err != nil {
			panic(err)
		}
	}
}

// same returns the text that several ways to evaluate a key agree on.
func same(ways ...func() (string, error)) string {
	var texts []string
	for _, way := range ways {
		text, err := way()
		if err != nil {
			text = "error: " + err.Error()
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		if text != texts[0] {
			panic(text + " != " + texts[0])
		}
	}
	return texts[0]
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
	t.Parallel()
	dir := t.TempDir()
	module(t, dir, "example.com/shop")
	for name, text := range map[string]string{
		"main.go":      mainSource,
		"auth/auth.go": authSource,
		"sms/sms.go":   smsSource,
		"sms/setup.go": setupSource,
		"sms/keys.go":  keysSource(t),
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	got := make(map[string]string)
	if err := json.Unmarshal(goCommand(t, dir, "run", "."), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(valueTests, got); diff != "" {
		t.Errorf("texts of keys (-want +got):\n%s", diff)
	}
}

// keysSource declares a method that returns the texts of valueTests by their
// sources, and one that evaluates the keys of keyTests that cannot fail.
func keysSource(t *testing.T) string {
	file := jen.NewFilePathName(smsPath, "sms")
	file.ImportNames(map[string]string{authPath: "auth", "time": "time", "context": "context"})
	file.ImportAlias(runtimePath, "ratelimit")
	texts := jen.Dict{}
	for i, src := range slices.Sorted(maps.Keys(valueTests)) {
		texts[jen.Lit(src)] = jen.Id("same").Call(ways(file, compiled(t, generatedScope(t), src, i))...)
	}
	compiles := func(typ string) bool { return !strings.Contains(typ, "Missing") }
	params := parameters(compiles)
	service := jen.Id("s").Op("*").Id("Service")
	file.Func().Params(service.Clone()).Id("keys").Params(jen.Id(params)).
		Map(jen.String()).String().Block(jen.Return(jen.Map(jen.String()).String().Values(texts)))
	file.Func().Params(service.Clone()).Id("keysThatCannotFail").Params().
		Index().Error().BlockFunc(func(g *jen.Group) { zeroKeys(t, g, compiles) })
	file.Func().Params(service.Clone()).Id("everyKeyCompiles").Params(jen.Id(params)).BlockFunc(func(g *jen.Group) {
		for i, tt := range keyTests {
			g.Id("_").Op("=").Add(compiled(t, testScope(t), tt.src, i).Code())
		}
	})
	file.Var().Defs(
		jen.Id("_").Op("=").Parens(jen.Op("*").Id("Service")).Dot("everyKeyCompiles"),
		jen.Id("_").Qual("time", "Duration"),
		jen.Id("_").Qual("context", "Context"),
		jen.Id("_").Qual(authPath, "Level"),
	)
	var out bytes.Buffer
	if err := file.Render(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func compiled(t *testing.T, sc *Scope, src string, number int) *Expr {
	t.Helper()
	expr, problems := Key(src, sc)
	if expr == nil {
		t.Fatalf("Key(%s): %v", src, problems)
	}
	for i, g := range expr.Globals {
		g.Name = fmt.Sprintf("key%d%s%d", number, g.Use, i)
	}
	return expr
}

// ways are functions that evaluate a key, one for each way to write it.
func ways(file *jen.File, expr *Expr) []jen.Code {
	for _, g := range expr.Globals {
		file.Var().Id(g.Name).Op("=").Add(g.Code())
	}
	return []jen.Code{
		way(func(g *jen.Group) { g.Return(expr.Code(), jen.Nil()) }),
		way(func(g *jen.Group) {
			expr.Return(g, keyFrame, func(value *jen.Statement) jen.Code { return jen.Return(value, jen.Nil()) })
		}),
		way(func(g *jen.Group) { g.Return(expr.Value(g, keyFrame), jen.Nil()) }),
		way(func(g *jen.Group) {
			g.Var().Id("buf").Index(jen.Lit(8)).Byte()
			expr.Append(g, keyFrame, "key", jen.Id("buf").Index(jen.Op(":").Lit(0)))
			g.Return(jen.String().Call(jen.Id("key")), jen.Nil())
		}),
		way(func(g *jen.Group) {
			g.Var().Id("parts").String()
			for _, p := range expr.Pieces {
				g.Add(appendPiece(p))
			}
			g.Return(jen.Id("parts"), jen.Nil())
		}),
	}
}

var keyFrame = Frame{Taken: []string{"text", "err", "reason", "buf", "key"}, Err: "err",
	Fail: func(err *jen.Statement) jen.Code { return jen.Return(jen.Lit(""), err) }}

// way is a function that returns a panic as an error.
func way(body func(*jen.Group)) *jen.Statement {
	return jen.Line().Func().Params().Params(jen.Id("text").String(), jen.Id("err").Error()).BlockFunc(func(g *jen.Group) {
		g.Defer().Func().Params().Block(jen.If(jen.Id("reason").Op(":=").Recover(), jen.Id("reason").Op("!=").Nil()).Block(
			jen.Id("err").Op("=").Qual("fmt", "Errorf").Call(jen.Lit("%v"), jen.Id("reason")),
		)).Call()
		body(g)
	})
}

func zeroKeys(t *testing.T, g *jen.Group, compiles func(string) bool) {
	for _, v := range vars {
		if compiles(v.typ) {
			g.Var().Id(v.name).Id(v.typ)
			g.Id("_").Op("=").Id(v.name)
		}
	}
	g.Return(jen.Index().Error().ValuesFunc(func(g *jen.Group) {
		for i, tt := range keyTests {
			if !tt.canFail {
				expr := compiled(t, testScope(t), tt.src, i)
				g.Line().Func().Params().Error().Block(jen.Id("_").Op("=").Add(expr.Code()), jen.Return(jen.Nil())).Call()
			}
		}
	}))
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
