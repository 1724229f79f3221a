package generator_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var moduleLine = regexp.MustCompile(`(?m)^module .*$`)

// newModule makes an empty module that can import ours, as a user's does.
func newModule(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	mod := moduleLine.ReplaceAllString(read(t, "../go.mod"), "module example.com")
	mod += "\nrequire github.com/ratelimitgen/ratelimitgen v0.0.0\n"
	mod += "\nreplace github.com/ratelimitgen/ratelimitgen => " + repo + "\n"
	write(t, filepath.Join(dir, "go.mod"), mod)
	write(t, filepath.Join(dir, "go.sum"), read(t, "../go.sum"))
	return dir
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
