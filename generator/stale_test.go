package generator_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

const guarded = `package p

import "context"

type T[K comparable] struct{ Base }

//ratelimit:key=a limit=3 window=1m sliding
func (t *T[K]) Send(ctx context.Context, a, b string) error { return nil }

func (t *T[K]) Get(k K) (n int) { return 0 }

type Base struct{}

func (Base) Promoted(n int) {}

//ratelimit:limit=3 window=1m sliding
type Store interface {
	Load(ctx context.Context) error
}

//ratelimit:limit=3 window=1m sliding
func Call[V any](ctx context.Context, v V) error { return nil }
`

// TestStale changes what was generated for: the program does not compile, and
// the compiler says what to do.
func TestStale(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	dir := filepath.Join(module, "p")
	write(t, filepath.Join(dir, "p.go"), guarded)
	result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: []string{"./p"}})
	if err != nil || result.Failed() {
		t.Fatalf("%v\n%s", err, problems(result))
	}
	if _, err := result.Write(); err != nil {
		t.Fatal(err)
	}
	run(t, module, "vet", "./p")
	for _, c := range []struct{ name, from, to, guard, says string }{
		{"a parameter's type", "a, b string) error { return nil }\n\nfunc (t", "a string, b any) error { return nil }\n\nfunc (t", "runGoGenerateForT", "wrong type for method Send"},
		{"a result's type", "(n int)", "(n int8)", "runGoGenerateForT", "wrong type for method Get"},
		{"a method less", "func (t *T[K]) Get", "func (t *T[K]) Fetch", "runGoGenerateForT", "missing method Get"},
		{"a promoted method", "Promoted(n int)", "Promoted(n any)", "runGoGenerateForT", "wrong type for method Promoted"},
		{"a method more in an interface", "Load(ctx context.Context) error", "Load(ctx context.Context) error\n\tSave()", "runGoGenerateForStore", "missing method Save"},
		{"an interface's method", "Load(ctx context.Context)", "Load(ctx any)", "runGoGenerateForStore", "wrong type for method Load"},
		{"a function", "v V) error", "v any) error", "runGoGenerateForCall", "cannot use Call[V]"},
	} {
		changed := strings.Replace(guarded, c.from, c.to, 1)
		if changed == guarded {
			t.Fatalf("%s: nothing to change", c.name)
		}
		write(t, filepath.Join(dir, "p.go"), changed)
		cmd := exec.CommandContext(t.Context(), "go", "build", "./p")
		cmd.Dir = module
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.guard) || !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
