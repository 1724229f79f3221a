package generator_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// A run for one package sees the wrappers of others, near and far, that no run
// has made yet: go generate calls for the packages in no useful order.
func TestWrappersThatAreNotGeneratedYet(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "svc/svc.go"), `package svc

type S struct{}

//ratelimit:limit=3 window=1s sliding
func (s *S) A() error { return nil }

//ratelimit:wrap as=Far
type far struct{}

func (far) B() int { return 1 }
`)
	write(t, filepath.Join(module, "mid/mid.go"), `package mid

import "example.com/svc"

type M struct{ *svc.Far }

func (M) Get(s *svc.RateLimitedS) *svc.RateLimitedS { return s }
`)
	write(t, filepath.Join(module, "api/api.go"), `package api

import (
	"example.com/mid"
	"example.com/svc"
)

type API struct {
	mid.M
	*svc.RateLimitedS
}

//ratelimit:key=a.M.B() limit=3 window=1s sliding fallback=Answer
func (a *API) Do(s ...*svc.RateLimitedS) (svc.Far, error) { return svc.Far{}, s[0].A() }

func (a *API) Answer(s ...*svc.RateLimitedS) (svc.Far, error) { return *a.Far, nil }
`)
	made := onlyAPI(t, module)
	for _, want := range []string{
		"func (w *RateLimitedAPI) Do(s ...*svc.RateLimitedS) (svc.Far, error) {\n",
		"func (w *RateLimitedAPI) Get(s *svc.RateLimitedS) *svc.RateLimitedS {\n",
		"func (w *RateLimitedAPI) B() int {\n",
		"// A is that of svc.RateLimitedS.\nfunc (w *RateLimitedAPI) A() error {\n",
	} {
		if !strings.Contains(made, want) {
			t.Errorf("the generated file lacks %q:\n%s", want, made)
		}
	}
	if _, err := generate(t, module).Write(); err != nil {
		t.Fatal(err)
	}
	run(t, module, "vet", "./...")
	if again := onlyAPI(t, module); again != made {
		t.Errorf("with what it imports generated it is\n%s", again)
	}
}

// onlyAPI is what a run for one package generates.
func onlyAPI(t *testing.T, module string) string {
	t.Helper()
	result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: []string{"./api"}})
	if err != nil {
		t.Fatal(err)
	}
	if text := problems(result); text != "" || len(result.Files) != 1 {
		t.Fatalf("%d files, problems:\n%s", len(result.Files), text)
	}
	return string(result.Files[0].Content)
}

// A file that imports C is there only where cgo is: what it declares is no
// part of the package without.
func TestMethodWithoutCgo(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "a.go"), strings.ReplaceAll(limited, "1h", "1h sliding"))
	write(t, filepath.Join(module, "c.go"), "package p\n\n// typedef int foo;\nimport \"C\"\n\nfunc (*T) C(f C.foo) *C.foo { return nil }\n")
	want := map[string]string{"0": ""}
	if _, err := exec.LookPath("gcc"); err == nil {
		want["1"] = "a.go:5:1: the wrapper of T cannot have the method C, which is declared in c.go, and not alike for other builds: declare it for those, or move the directives to that file\n"
	}
	for enabled, want := range want {
		env := append(os.Environ(), "CC=gcc", "CGO_ENABLED="+enabled)
		result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Env: env})
		if err != nil {
			t.Fatal(err)
		}
		if text := problems(result); text != want {
			t.Errorf("with CGO_ENABLED=%s: %q, want %q", enabled, text, want)
		}
	}
}

// Two packages of one name have rules of one name, which no run that is about
// one of them can see: the program finds out.
func TestPackagesOfOneName(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	for _, p := range []string{"a", "b"} {
		write(t, filepath.Join(module, p, "user/user.go"), `package user

type Service struct{}

//ratelimit:limit=2 window=1m sliding
func (s *Service) Login() error { return nil }

//ratelimit:limit=2 window=1m sliding name=user.Service.Logout
func (s *Service) Logout() error { return nil }
`)
		config := generator.Config{Dir: module, Patterns: []string{"./" + p + "/user"}}
		result, err := generator.Generate(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := result.Write(); err != nil || result.Failed() {
			t.Fatalf("%v, problems:\n%s", err, problems(result))
		}
	}
	write(t, filepath.Join(module, "both_test.go"), `package both

import (
	"errors"
	"strings"
	"testing"

	auser "example.com/a/user"
	buser "example.com/b/user"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

func Test(t *testing.T) {
	limiter := ratelimit.New(memory.New())
	a := auser.NewRateLimitedService(&auser.Service{}, limiter)
	b := buser.NewRateLimitedService(&buser.Service{}, limiter)
	for _, err := range []error{a.Login(), b.Login()} {
		if !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "write name=") {
			t.Errorf("a call by a name of two packages: %v", err)
		}
	}
	if err := errors.Join(a.Logout(), b.Logout()); err != nil {
		t.Error(err)
	}
}
`)
	run(t, module, "test", ".")
}
