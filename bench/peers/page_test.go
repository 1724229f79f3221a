package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The page has a place for all that is written, and for nothing else.
func TestPageHasPlaces(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, thePage.Name))
	if err != nil {
		t.Fatal(err)
	}
	f := &figures{remote: someResults(), local: someResults()}
	blocks := f.blocks()
	if _, err := thePage.Fill(string(text), blocks); err != nil {
		t.Error(err)
	}
	if n := strings.Count(string(text), "<!-- begin "); n != len(blocks) {
		t.Errorf("the page has %d places for %d texts", n, len(blocks))
	}
}

// The wrappers that are measured are those that the generator writes now.
func TestWrappersAreFresh(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "generator")
	run(t, root, "go", "build", "-o", tool, "./cmd/ratelimitgen")
	run(t, "..", tool, "-check", "./guarded")
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}
