package generator_test

import (
	"bytes"
	"flag"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

var update = flag.Bool("update", false, "rewrite the wanted output of the golden cases")

const (
	cases    = "../testdata"
	wantFile = "want/"    // before the path of a generated file
	wantText = "want.txt" // the problems, one a line
)

// TestGolden runs every archive of testdata. Its files are a module's packages;
// what starts with "want" is what comes of them. What succeeds is vetted, and
// its tests are run; a comment with the word "uncompiled" exempts it from that.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	module := newModule(t)
	built := make([]string, len(archives))
	t.Run("case", func(t *testing.T) {
		for i, file := range archives {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if golden(t, file, filepath.Join(module, name)) {
					built[i] = "./" + name + "/..."
				}
			})
		}
	})
	built = slices.DeleteFunc(built, func(s string) bool { return s == "" })
	if len(built) > 0 {
		run(t, module, append([]string{"vet"}, built...)...)
		run(t, module, append([]string{"test"}, built...)...)
	}
}

// golden runs one case in dir, and reports whether its result is to be built.
func golden(t *testing.T, file, dir string) bool {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unpack(t, archive, dir)
	result := generate(t, dir)
	files := generated(t, result, dir)
	if *update {
		rewrite(t, file, archive, result, files)
		return false
	}
	compare(t, archive, result, files)
	if result.Failed() && len(result.Files) == 0 {
		return false
	}
	again(t, result, dir)
	return !result.Failed() && !strings.Contains(string(archive.Comment), "uncompiled")
}

func unpack(t *testing.T, archive *txtar.Archive, dir string) {
	t.Helper()
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want") {
			write(t, filepath.Join(dir, f.Name), string(f.Data))
		}
	}
}

func generate(t *testing.T, dir string) *generator.Result {
	t.Helper()
	result, err := generator.Generate(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// generated are the contents of the generated files by their paths below dir.
func generated(t *testing.T, result *generator.Result, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, f := range result.Files {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Content != nil {
			files[filepath.ToSlash(rel)] = string(f.Content)
		}
	}
	return files
}

func compare(t *testing.T, archive *txtar.Archive, result *generator.Result, files map[string]string) {
	t.Helper()
	want, text := map[string]string{}, ""
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, wantFile); ok {
			want[name] = string(f.Data)
		} else if f.Name == wantText {
			text = string(f.Data)
		}
	}
	if diff := cmp.Diff(text, problems(result)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// again checks that the result is gofmt-clean, and that a second run over its
// own output gives the same bytes.
func again(t *testing.T, first *generator.Result, dir string) {
	t.Helper()
	for _, f := range first.Files {
		formatted, err := format.Source(f.Content)
		if err != nil || !bytes.Equal(formatted, f.Content) {
			t.Errorf("%s is not formatted: %v", f.Path, err)
		}
	}
	if _, err := first.Write(); err != nil {
		t.Fatal(err)
	}
	second := generate(t, dir)
	if diff := cmp.Diff(generated(t, first, dir), generated(t, second, dir)); diff != "" {
		t.Errorf("a second run differs (-first +second):\n%s", diff)
	}
	if diff, err := second.Diff(); err != nil || diff != "" {
		t.Errorf("stale after writing: %v\n%s", err, diff)
	}
	if changed, err := second.Write(); err != nil || len(changed) > 0 {
		t.Errorf("written again: %v, %v", changed, err)
	}
}

func rewrite(t *testing.T, file string, archive *txtar.Archive, result *generator.Result, files map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "want") })
	for _, name := range slices.Sorted(maps.Keys(files)) {
		archive.Files = append(archive.Files, txtar.File{Name: path.Join(wantFile, name), Data: []byte(files[name])})
	}
	if text := problems(result); text != "" {
		archive.Files = append(archive.Files, txtar.File{Name: wantText, Data: []byte(text)})
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
		t.Fatal(err)
	}
}

func problems(result *generator.Result) string {
	var b strings.Builder
	for _, p := range result.Problems {
		b.WriteString(filepath.ToSlash(p.String()) + "\n")
	}
	return b.String()
}

// run runs the go command.
func run(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", args[0], err, out)
	}
}
