package generator_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestVendor generates for a module with a vendor folder, at first without our
// runtime: nothing has imported it so far.
func TestVendor(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "p/a.go"), typed("", "A"))
	write(t, filepath.Join(module, "q/b.go"), "package q\n\nimport _ \"github.com/google/go-cmp/cmp\"\n")
	run(t, module, "mod", "vendor")
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
