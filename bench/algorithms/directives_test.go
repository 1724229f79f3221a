package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	examples  = regexp.MustCompile("(?s)```go\n(.*?)```")
	receivers = regexp.MustCompile(`(?m)^func \(\w+ \*(\w+)\)`)
	signature = regexp.MustCompile(`(?m)^(func .*)$`)
)

// The directives of the page pass the generator, without a note.
func TestDirectives(t *testing.T) {
	dir := t.TempDir()
	tool := filepath.Join(dir, "ratelimitgen")
	run(t, root, "go", "build", "-o", tool, "./cmd/ratelimitgen")
	write(t, dir, "go.mod", "module example.com/page\n\ngo 1.26\n")
	write(t, dir, "page.go", sourceOf(t, read(t, thePage.Name)))
	if out := run(t, dir, tool); out != "" {
		t.Errorf("the generator says:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "ratelimit_gen.go")); err != nil {
		t.Error(err)
	}
}

// sourceOf makes a package of the examples.
func sourceOf(t *testing.T, page string) string {
	var code strings.Builder
	code.WriteString("package page\n\nimport \"context\"\n\n")
	types := map[string]bool{}
	for _, m := range examples.FindAllStringSubmatch(page, -1) {
		code.WriteString(signature.ReplaceAllString(m[1], "$1 { return nil }\n"))
		for _, receiver := range receivers.FindAllStringSubmatch(m[1], -1) {
			types[receiver[1]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(&code, "type %s struct{}\n", name)
	}
	if len(types) < 5 {
		t.Fatalf("there are only %d types in the examples", len(types))
	}
	return code.String()
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
