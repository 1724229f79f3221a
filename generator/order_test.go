package generator_test

import (
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
