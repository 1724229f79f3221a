package generator_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// variant is limited with a rule of its own name.
func variant(pkg string) string {
	return strings.NewReplacer("package p", "package "+pkg, "1h", "1h sliding name="+pkg).Replace(limited)
}

// TestPackages generates for packages in all the places where one can be.
func TestPackages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		files    map[string]string
		dir      string // in which the run is
		patterns []string
		want     []string // generated files below the module
	}{
		{
			name: "several patterns, overlapping", patterns: []string{"./a", "./b/...", "./b/c"},
			files: map[string]string{"a/a.go": variant("a"), "b/b.go": variant("b"), "b/c/c.go": variant("c")},
			want:  []string{"a/ratelimit_gen.go", "b/c/ratelimit_gen.go", "b/ratelimit_gen.go"},
		},
		{
			name: "an import path", patterns: []string{"example.com/a"},
			files: map[string]string{"a/a.go": variant("a")},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name: "files", patterns: []string{"a/a.go", "./a/b.go", "b/b.go"},
			files: map[string]string{"a/a.go": variant("a"), "a/b.go": "package a\n", "b/b.go": variant("b")},
			want:  []string{"a/ratelimit_gen.go", "b/ratelimit_gen.go"},
		},
		{
			name: "a file in the folder of the run", dir: "a", patterns: []string{"a.go"},
			files: map[string]string{"a/a.go": variant("a")},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name: "a file above the folder of the run", dir: "b", patterns: []string{"../a/a.go"},
			files: map[string]string{"a/a.go": variant("a"), "b/b.go": "package b\n"},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name:  "an internal package",
			files: map[string]string{"a/internal/in/in.go": variant("in")},
			want:  []string{"a/internal/in/ratelimit_gen.go"},
		},
		{
			name:  "carriage returns",
			files: map[string]string{"a/a.go": strings.ReplaceAll(variant("a"), "\n", "\r\n")},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name:  "a byte order mark",
			files: map[string]string{"a/a.go": "\uFEFF" + variant("a")},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name:  "line directives",
			files: map[string]string{"a/a.go": "//line far/away.y:100\n" + variant("a")},
			want:  []string{"a/ratelimit_gen.go"},
		},
		{
			name: "a nested module is another one",
			files: map[string]string{
				"a/a.go": variant("a"), "a/nested/n.go": variant("n"), "a/nested/go.mod": "module example.com/a/nested\n\ngo 1.26\n",
			},
			want: []string{"a/ratelimit_gen.go"},
		},
		{
			name: "folders that the go command leaves out",
			files: map[string]string{
				"a/a.go": variant("a"), "a/testdata/t.go": variant("t"), "_b/b.go": variant("b"), ".c/c.go": variant("c"), "vendor/v/v.go": variant("v"),
			},
			want: []string{"a/ratelimit_gen.go"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			module := newModule(t)
			for name, text := range c.files {
				write(t, filepath.Join(module, name), text)
			}
			if c.patterns == nil {
				c.patterns = []string{"./..."}
			}
			env := append(os.Environ(), "GOFLAGS=-mod=mod")
			config := generator.Config{Dir: filepath.Join(module, c.dir), Patterns: c.patterns, Env: env}
			result, err := generator.Generate(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			if text := problems(result); text != "" {
				t.Errorf("problems:\n%s", text)
			}
			files := generated(t, result, module)
			if diff := cmp.Diff(c.want, slices.Sorted(maps.Keys(files))); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			formatted(t, files)
		})
	}
}

// TestPositionsInOddFiles looks at the places of problems where the bytes of a
// file are not those of its text.
func TestPositionsInOddFiles(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(variant("p"), "limit=1 ", "limit=0 ", 1)
	for name, c := range map[string]struct{ src, want string }{
		"carriage returns": {strings.ReplaceAll(bad, "\n", "\r\n"), "p/a.go:5:13: "},
		"byte order mark":  {"\uFEFF" + bad, "p/a.go:5:13: "},
		"line directive":   {"//line far/away.y:100\n" + bad, "p/a.go:6:13: "},
	} {
		module := newModule(t)
		write(t, filepath.Join(module, "p/a.go"), c.src)
		if got := problems(generate(t, module)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want it to start with %q", name, got, c.want)
		}
	}
}

// TestWorkspace generates for two modules of a workspace in one run.
func TestWorkspace(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "a/a.go"), variant("a"))
	write(t, filepath.Join(module, "other/go.mod"), moduleLine.ReplaceAllString(read(t, filepath.Join(module, "go.mod")), "module example.org/other"))
	write(t, filepath.Join(module, "other/go.sum"), read(t, filepath.Join(module, "go.sum")))
	write(t, filepath.Join(module, "other/b.go"), variant("b"))
	write(t, filepath.Join(module, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t./other\n)\n")
	result, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: []string{"./...", "example.org/other/..."}})
	if err != nil {
		t.Fatal(err)
	}
	if text := problems(result); text != "" {
		t.Errorf("problems:\n%s", text)
	}
	want := []string{"a/ratelimit_gen.go", "other/ratelimit_gen.go"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(generated(t, result, module)))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestFolderWithBlanks generates for a module in such a folder, and wants a
// position there as the command prints it.
func TestFolderWithBlanks(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	inside := filepath.Join(module, "with blanks: and a colon")
	for _, name := range []string{"go.mod", "go.sum"} {
		write(t, filepath.Join(inside, name), read(t, filepath.Join(module, name)))
	}
	write(t, filepath.Join(inside, "a/a.go"), variant("a"))
	write(t, filepath.Join(inside, "b/b.go"), "package b\n\nvar x = \n")
	write(t, filepath.Join(inside, "c/c.go"), strings.Replace(variant("c"), "limit=1 ", "", 1))
	result := generate(t, inside)
	if got, want := problems(result), "c/c.go:5:1: the rule has no limit"; !strings.HasPrefix(got, want) {
		t.Errorf("problems: %q, want %q", got, want)
	}
	want := []string{"a/ratelimit_gen.go"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(generated(t, result, inside)))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestSymbolicLinks generates through a link to a module's folder and through
// one to a source file.
func TestSymbolicLinks(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "src/a.go.txt"), variant("p"))
	write(t, filepath.Join(module, "p/b.go"), "package p\n")
	link := filepath.Join(t.TempDir(), "link")
	for to, from := range map[string]string{link: module, filepath.Join(module, "p/a.go"): "../src/a.go.txt"} {
		if err := os.Symlink(from, to); err != nil {
			t.Fatal(err)
		}
	}
	result := generate(t, link)
	if text := problems(result); text != "" {
		t.Errorf("problems:\n%s", text)
	}
	if _, err := result.Write(); err != nil {
		t.Fatal(err)
	}
	if text := read(t, filepath.Join(module, "p/ratelimit_gen.go")); !strings.Contains(text, "RateLimitedT") {
		t.Errorf("generated:\n%s", text)
	}
	if diff, err := generate(t, module).Diff(); diff != "" || err != nil {
		t.Errorf("the module itself is stale: %v\n%s", err, diff)
	}
}
