package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun measures a small module that this one has anyway.
func TestRun(t *testing.T) {
	ctx := t.Context()
	version, err := command(ctx, "", "go", "list", "-m", "-f", "{{.Version}}", "github.com/dave/jennifer")
	if err != nil {
		t.Fatal(err)
	}
	m := module{path: "github.com/dave/jennifer", version: strings.TrimSpace(version), packages: []string{"./jen"}}
	dir := t.TempDir()
	out := filepath.Join(dir, "table.md")
	if err := run(ctx, out, filepath.Join(dir, "copies"), []module{m}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| `./jen` | 6 | 0 |", "| yes |", "\n6 of 6 methods have a wrapper, 100.00%.\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	wrappers, err := os.ReadFile(filepath.Join(dir, "copies/github-com-dave-jennifer/jen/ratelimit_gen.go"))
	if err != nil || strings.Count(string(wrappers), ".Admit(") != 6 {
		t.Errorf("%v\n%s", err, wrappers)
	}
}
