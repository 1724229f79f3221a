package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
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

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := &figures{where: "some machine", remote: someResults(), local: someResults()}
	blocks := f.blocks()
	place := func(p page.Page, names ...string) {
		text := ""
		for _, name := range names {
			text += p.Begin(name) + p.End(name)
		}
		if err := os.WriteFile(filepath.Join(dir, p.Name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, b := range blocks {
		names = append(names, b.Name)
	}
	place(thePage, names...)
	for _, places := range [][]string{{quoted}, nil} {
		place(readme, places...)
		if err := f.write(dir, blocks); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, readme.Name))
		if quotes := strings.Contains(string(text), "some machine"); err != nil || quotes != (places != nil) {
			t.Errorf("places %v: the README quotes: %v, %v", places, quotes, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, pictureName)); err != nil {
		t.Error(err)
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
