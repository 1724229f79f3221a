package generator_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// TestVendor generates for a module with a vendor folder, at first without our
// runtime: nothing has imported it so far.
func TestVendor(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "p/a.go"), typed("", "A"))
	write(t, filepath.Join(module, "q/b.go"), "package q\n\nimport _ \"github.com/google/go-cmp/cmp\"\n")
	run(t, module, "mod", "vendor")
	unvendored(t, module)
	const note = "vendor/modules.txt: note: generated code imports github.com/ratelimitgen/ratelimitgen/runtime, which is not vendored; run go mod vendor\n"
	builds := []build{
		{name: "by itself"},
		{name: "by a flag", flags: []string{"-mod=vendor"}},
		{name: "by GOFLAGS", env: []string{"GOFLAGS=-mod=vendor"}},
	}
	for _, b := range builds {
		if got := problems(b.generate(t, module)); got != note {
			t.Errorf("%s: problems %q, want %q", b.name, got, note)
		}
	}
	if got := problems(build{flags: []string{"-mod=mod"}}.generate(t, module)); got != "" {
		t.Errorf("without the folder: problems %q", got)
	}
	if _, err := builds[0].generate(t, module).Write(); err != nil {
		t.Fatal(err)
	}
	run(t, module, "mod", "vendor")
	for _, b := range builds {
		result := b.generate(t, module)
		if diff, err := result.Diff(); diff != "" || err != nil || len(result.Problems) > 0 {
			t.Errorf("%s: %v, stale: %v\n%s", b.name, result.Problems, err, diff)
		}
	}
	run(t, module, "vet", "-mod=vendor", "./...")
	if _, err := os.Stat(filepath.Join(module, "vendor/github.com/ratelimitgen/ratelimitgen/runtime")); err != nil {
		t.Error(err)
	}
}

// unvendored wants to be told what to do where source names a package that the
// folder lacks.
func unvendored(t *testing.T, module string) {
	t.Helper()
	const source = `package r

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

type T struct{}

//ratelimit:limit=1 window=1h sliding fallback=full
func (*T) M() error { return nil }

func full(e *ratelimit.LimitError) error { return e }
`
	path := filepath.Join(module, "r/c.go")
	write(t, path, source)
	result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: []string{"./r"}})
	const want = "r/c.go:3:18: could not import github.com/ratelimitgen/ratelimitgen/runtime, which is not vendored; run go mod vendor\n"
	if err != nil || problems(result) != want {
		t.Errorf("problems %q: %v, want %q", problems(result), err, want)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
