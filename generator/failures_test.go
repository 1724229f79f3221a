package generator_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// TestUnreadable has links that lead nowhere. The other packages are generated
// all the same.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, target, want string }{
		{"ratelimit_gen.go", "nowhere/x.go", "it is a link to nowhere/x.go, which does not exist; remove it"},
		{"ratelimit_gen_linux.go", "x", "it is a link to x, which does not exist; remove it"},
		{"b.go", "/nowhere/x.go", "it is a link to /nowhere/x.go, which does not exist; remove it"},
		{"ratelimit_gen_test.go", "ratelimit_gen_test.go", "too many levels of symbolic links"},
	} {
		module := newModule(t)
		write(t, filepath.Join(module, "p/a.go"), limited)
		write(t, filepath.Join(module, "q/a.go"), strings.Replace(limited, "package p", "package q", 1))
		if err := os.Symlink(tt.target, filepath.Join(module, "p", tt.name)); err != nil {
			t.Fatal(err)
		}
		want := "p/" + tt.name + ": cannot be read: " + tt.want + "\n"
		for pattern, files := range map[string]int{"./p": 0, "./...": 1} {
			result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: []string{pattern}})
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			if got := problems(result); got != want || len(result.Files) != files {
				t.Errorf("%s of %s: %d files and %q, want %q", pattern, tt.name, len(result.Files), got, want)
			}
		}
	}
}

// TestUnwritable keeps a file from being written by a folder in the way. The
// other one of its package is not written either, that of another package is.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "p/a.go"), limited)
	write(t, filepath.Join(module, "p/a_test.go"), strings.ReplaceAll(limited, "T", "U"))
	write(t, filepath.Join(module, "q/a.go"), strings.Replace(limited, "package p", "package q", 1))
	result := generate(t, module)
	if text := problems(result); text != "" {
		t.Fatal(text)
	}
	inTheWay := filepath.Join(module, "p", ".ratelimit_gen_test.go."+strconv.Itoa(os.Getpid()))
	write(t, filepath.Join(inTheWay, "x"), "")

	changed, err := result.Write()
	failed, ok := errors.AsType[*generator.Error](err)
	if want := "p/ratelimit_gen_test.go: cannot be written: is a directory"; !ok || failed.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if want := filepath.Join(module, "q/ratelimit_gen.go"); len(changed) != 1 || changed[0] != want {
		t.Errorf("changed %v, want %s", changed, want)
	}
	entries, err := os.ReadDir(filepath.Join(module, "p"))
	if err != nil || len(entries) != 3 {
		t.Errorf("%v in the folder: %v", entries, err)
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	if changed, err := result.Write(); err != nil || len(changed) != 2 {
		t.Errorf("after that, changed %v: %v", changed, err)
	}
}
