package generator_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// TestAheadIsListing generates for each folder of all golden cases in both
// ways, where the first one can be taken.
func TestAheadIsListing(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	module := newModule(t)
	var taken, all atomic.Int32
	t.Run("case", func(t *testing.T) {
		for _, file := range archives {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				dir := filepath.Join(module, name)
				unpack(t, archive, dir)
				for _, folder := range folders(t, dir) {
					all.Add(1)
					if bothWays(t, folder) {
						taken.Add(1)
					}
				}
			})
		}
	})
	t.Logf("%d of %d folders were done ahead", taken.Load(), all.Load())
	if 2*taken.Load() < all.Load() {
		t.Errorf("only %d of %d folders were done ahead", taken.Load(), all.Load())
	}
}

// folders are the folders at and below dir with Go files.
func folders(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
				all = append(all, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// bothWays compares the ways, and reports whether there were two.
func bothWays(t *testing.T, folder string) bool {
	t.Helper()
	ahead, err := generator.Ahead(t.Context(), folder)
	if errors.Is(err, generator.ErrOtherwise) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	listing, err := generator.Listing(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	same := cmpopts.IgnoreUnexported(generator.Result{}, generator.Rule{})
	if diff := cmp.Diff(listing, ahead, same); diff != "" {
		t.Errorf("%s (-listing +ahead):\n%s", folder, diff)
	}
	return true
}

// TestAhead tells for which folders the first way is enough.
func TestAhead(t *testing.T) {
	t.Parallel()
	const test = "package p\n\nimport \"testing\"\n\nfunc TestT(t *testing.T) {}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"plain", map[string]string{"a.go": limited}, true},
		{"with tests", map[string]string{"a.go": limited, "a_test.go": test}, true},
		{"an output of ours", map[string]string{"a.go": limited, "ratelimit_gen.go": old}, true},
		{"an output of another hand", map[string]string{"a.go": limited, "ratelimit_gen.go": theirs}, true},
		{"an output that is broken", map[string]string{"a.go": limited, "ratelimit_gen.go": old + "func"}, false},
		{"an output for other builds", map[string]string{"a.go": limited, "ratelimit_gen_plan9.go": old}, false},
		{"no directives", map[string]string{"a.go": plain}, false},
		{"near misses alone", map[string]string{"a.go": strings.Replace(limited, "//r", "// r", 1)}, false},
		{"directives in a test", map[string]string{"a.go": plain, "a_test.go": strings.Replace(limited, "T", "U", -1)}, false},
		{"a constraint", map[string]string{"a.go": limited, "b.go": "//go:build !plan9\n\npackage p\n"}, false},
		{"a constraint of the name", map[string]string{"a.go": limited, "b_plan9.go": "package p\n"}, false},
		{"a version of Go to come", map[string]string{"a.go": limited, "b.go": "//go:build go1.999\n\npackage p\n"}, false},
		{"a file that does not parse", map[string]string{"a.go": limited, "b.go": "package p\n\nfunc\n"}, false},
		{"a file of another package", map[string]string{"a.go": limited, "b.go": "package q\n"}, false},
		{"a type error", map[string]string{"a.go": limited, "b.go": "package p\n\nvar x int = \"\"\n"}, false},
		{"an import that is not there", map[string]string{"a.go": limited, "b.go": "package p\n\nimport _ \"example.com/no\"\n"}, false},
		{"C", map[string]string{"a.go": limited, "b.go": "package p\n\nimport \"C\"\n"}, false},
		{"nothing", map[string]string{"a.txt": ""}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			module := newModule(t)
			for name, text := range c.files {
				write(t, filepath.Join(module, name), text)
			}
			if got := bothWays(t, module); got != c.want {
				t.Errorf("done ahead: %v, want %v", got, c.want)
			}
		})
	}
}

// TestAheadLeavesNothing looks for what a run begins and does not need.
func TestAheadLeavesNothing(t *testing.T) {
	module := newModule(t)
	write(t, filepath.Join(module, "a.go"), plain)
	before := goleak.IgnoreCurrent()
	if _, err := generator.Ahead(t.Context(), module); !errors.Is(err, generator.ErrOtherwise) {
		t.Fatal(err)
	}
	goleak.VerifyNone(t, before)
}
