package keyexpr

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dave/jennifer/jen"
)

const authPath, smsPath = "example.com/shop/auth", "example.com/shop/sms"

const authSource = `package auth

import "strconv"

const Prefix = "auth:"

const hidden = 1

var Realm = "shop"

type User struct {
	ID    int64
	Email string
	token string
}

func (u *User) Name() string { return "name of " + u.Email }

func (u *User) secret() string { return u.token }

type Role int

func (r Role) String() string { return [...]string{"guest", "member"}[r] }

type Level uint8

const Member Role = 1

func UserID(user *User) int64 { return user.ID }

func Join(sep string, parts ...string) string {
	all := ""
	for _, p := range parts {
		all += p + sep
	}
	return all
}

func Pair() (int, int) { return 1, 2 }

type noUser int64

func (id noUser) Error() string { return "no user " + strconv.FormatInt(int64(id), 10) }

func Lookup(id int64) (string, error) {
	if id < 0 {
		return "", noUser(id)
	}
	return "user " + strconv.FormatInt(id, 10), nil
}

func Silent() {}
`

const smsSource = `package sms

import (
	"context"
	"time"

	"example.com/shop/auth"
)

const (
	Region          = "eu"
	Max             = 9223372036854775807
	Huge            = 18446744073709551615
	Over            = 36893488147419103232
	Full     uint64 = 18446744073709551615
	Ratio           = 2.5
	Letter          = 'a'
	On              = true
	Typed    Kind   = 7
	Fruit    Color  = "red"
)

var shared = "shared"

var calc = func(n int) int { return n * 2 }

type Kind int16

type Flag bool

type Mobile string

type Color string

func (c Color) String() string { return "color " + string(c) }

// Code has its String method on the pointer.
type Code int

func (c *Code) String() string { return "code" }

type Temp float64

func (t Temp) String() string { return "warm" }

type Stamp struct{ time.Time }

type Failure int

func (f Failure) Error() string { return "failure" }

func (f Failure) String() string { return "f" }

type Message struct {
	Id   int64
	Text string
}

func (m *Message) String() string { return "unstable" }

func (m *Message) ProtoReflect() int { return 0 }

type Base struct {
	Tenant string
	deep   int
}

func (b *Base) Path() string { return "/" + b.Tenant }

type Other struct{ Twice int }

type Also struct{ Twice int }

type Request struct {
	*Base
	Other
	Also
	Mobile Mobile
	User   *auth.User
	Kind   Kind
	Code   Code
	Role   auth.Role
	Fn     func(string) string
	Any    any
	Others []Request
	in     string
}

func (r Request) Key() string { return "key of " + string(r.Mobile) }

type Nothing struct{ f float64 }

type Service struct {
	prefix string
	region struct{ Name string }
	err    error
	base   Base
}

func (s *Service) Send(ctx context.Context, userID int64, mobile string) error { return nil }

func (s *Service) Tenant() string { return s.prefix }

func (s Service) Copy() Service { return s }

func normalize(s string) string { return "<" + s + ">" }

func count() int { return 3 }

func lower(s string) string { return "own " + s }

func trim(s Mobile) Mobile { return s }

func small(n int8) int { return int(n) }

func wide(f float64, any any, b bool) string { return "wide" }

func narrow(f float32) string { return "narrow" }

func pointer(p *int) string { return "nil" }

func unsigned(n uint16) uint16 { return n }

func takeValue(s Service) string { return s.prefix }

func takePointer(s *Service) string { return s.prefix }

func generic[T any](t T) string { return "" }

func pick[T int | int64](a, b T) T { return a }

func identity[T any](v T) T { return v }

func pair() [2]string { return [2]string{"a", "b"} }

func listed(names []string) bool { return true }

func bytesOf(b []byte) int { return len(b) }

func lookup(mobile string) *auth.User { return nil }
`

// brokenSource is what does not compile.
const brokenSource = `
func broken() Missing { return nil }
`

// vars are the variables of the fixture's scope, with their types in Go.
var vars = []struct{ name, typ string }{
	{"ctx", "context.Context"},
	{"userID", "int64"},
	{"mobile", "string"},
	{"n", "int"},
	{"u8", "uint8"},
	{"up", "uintptr"},
	{"ok", "bool"},
	{"flag", "Flag"},
	{"kind", "Kind"},
	{"phone", "Mobile"},
	{"color", "Color"},
	{"code", "Code"},
	{"codePtr", "*Code"},
	{"temp", "Temp"},
	{"ratio", "float64"},
	{"when", "time.Time"},
	{"whenPtr", "*time.Time"},
	{"took", "time.Duration"},
	{"stamp", "Stamp"},
	{"failure", "Failure"},
	{"err", "error"},
	{"msg", "*Message"},
	{"req", "*Request"},
	{"val", "Request"},
	{"in", "Request"},
	{"role", "auth.Role"},
	{"level", "auth.Level"},
	{"user", "auth.User"},
	{"name", "*string"},
	{"raw", "[]byte"},
	{"nothing", "Nothing"},
	{"anything", "any"},
	{"stringer", "interface{ String() string }"},
	{"fn", "func() string"},
	{"größe", "int64"},
	{"u64", "uint64"},
	{"names", "[]string"},
	{"counts", "[]int"},
	{"quotas", "map[string]int"},
	{"start", "string"},
	{"triple", "[3]int"},
	{"lost", "Missing"},
	{"lostPtr", "*Missing"},
}

type fixture struct {
	fset *token.FileSet
	std  types.Importer
	auth *types.Package

	called map[string]*types.Package
}

// Import serves the fixture's own package and those of the standard library.
func (f *fixture) Import(path string) (*types.Package, error) {
	switch path {
	case authPath:
		return f.auth, nil
	case runtimePath, programPath:
		return f.ours(path)
	}
	return f.std.Import(path)
}

// ours serves what generated code uses of the packages that it calls.
func (f *fixture) ours(path string) (*types.Package, error) {
	if f.called[path] == nil {
		pkg, err := f.check(path, map[string]string{runtimePath: runtimeSource, programPath: programSource}[path])
		if err != nil {
			return nil, err
		}
		f.called[path] = pkg
	}
	return f.called[path], nil
}

const runtimeSource = `package ratelimit

import "context"

func CallerIP(context.Context) (string, error)
func CallerUser(context.Context) (string, error)
func CallerID(context.Context) (string, error)
func CallerHeader(context.Context, string) (string, error)
func CallerIPOr(context.Context, string) string
func CallerUserOr(context.Context, string) string
func CallerIDOr(context.Context, string) string
func CallerHeaderOr(context.Context, string, string) string
func Hash(string) string
func Part(string) string
func AppendPart([]byte, string) []byte
`

const programSource = `package exprkey

type Env = map[string]any

type Program struct{}

func Compile(string) *Program
func (*Program) Bool(Env) (bool, error)
func (*Program) String(Env) (string, error)
func (*Program) Int(Env) (int, error)
func (*Program) Uint(Env) (uint64, error)
func (*Program) Float(Env) (float64, error)
`

func (f *fixture) check(path string, sources ...string) (*types.Package, error) {
	var files []*ast.File
	for _, src := range sources {
		file, err := parser.ParseFile(f.fset, path+".go", src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	var first error
	config := types.Config{Importer: f, Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	pkg, _ := config.Check(path, f.fset, files, nil)
	return pkg, first
}

// load type-checks the fixture once. The packages are only read afterwards.
var load = sync.OnceValue(func() *fixture {
	f := &fixture{fset: token.NewFileSet(), std: importer.Default(), called: make(map[string]*types.Package)}
	auth, err := f.check(authPath, authSource)
	if err != nil {
		panic(err)
	}
	f.auth = auth
	return f
})

// limited declares the method of Service whose parameters are the scope's.
func limited() string {
	return "\nfunc (s *Service) Limited(" + parameters(func(string) bool { return true }) + ") {}\n"
}

// parameters declares those of vars whose type is wanted.
func parameters(want func(typ string) bool) string {
	var params []string
	for _, v := range vars {
		if !want(v.typ) {
			continue
		}
		params = append(params, v.name+" "+v.typ)
	}
	return strings.Join(params, ", ")
}

var loadScope = sync.OnceValue(func() *Scope {
	f := load()
	pkg, err := f.check(smsPath, smsSource+brokenSource+limited())
	if pkg == nil {
		panic(err)
	}
	clock, _ := f.Import("time")
	sc := &Scope{Pkg: pkg, Imports: map[string]*types.Package{"auth": f.auth, "time": clock}}
	service := types.NewPointer(pkg.Scope().Lookup("Service").Type())
	method, _, _ := types.LookupFieldOrMethod(service, true, pkg, "Limited")
	for param := range method.Type().(*types.Signature).Params().Variables() {
		sc.Vars = append(sc.Vars, variable(param.Name(), param.Type()))
	}
	receiver := variable("s", service)
	receiver.Receiver = true
	sc.Vars = append(sc.Vars, receiver)
	return sc
})

func variable(name string, typ types.Type) Var {
	return Var{Name: name, Type: typ, Code: func() *jen.Statement { return jen.Id(name) }}
}

// generatedScope is testScope where the caller declares variables and has a
// limiter, and nothing hides the functions of the language.
func generatedScope(t testing.TB) *Scope {
	sc := *testScope(t)
	sc.Globals = true
	sc.Limiter = func() *jen.Statement { return jen.Id("w").Dot("limiter") }
	sc.Vars = slices.DeleteFunc(slices.Clone(sc.Vars), func(v Var) bool { return v.Name == "user" })
	return &sc
}

// testScope returns a scope with a parameter of each type and the receiver s.
func testScope(t testing.TB) *Scope {
	t.Helper()
	return loadScope()
}
