package generator_test

import (
	"flag"
	"go/format"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

var update = flag.Bool("update", false, "rewrite the wanted output of the golden cases")

const (
	cases    = "../testdata"
	wantFile = "want/"     // before the path of a generated file
	wantText = "want.txt"  // the problems, one a line
	wantNews = "want.anew" // what -check says of buckets, one a line
)

// TestGolden runs every archive of testdata. Its files are a module's packages;
// what starts with "want" is what comes of them. What succeeds is generated a
// second time, vetted, and its tests are run, all cases in one go; a comment
// with the word "uncompiled" exempts it from the latter. One that speaks of a
// "C compiler", or of "Linux", needs that.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	module := newModule(t)
	built := make([]*made, len(archives))
	t.Run("case", func(t *testing.T) {
		for i, file := range archives {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				built[i] = golden(t, file, filepath.Join(module, name))
			})
		}
	})
	built = slices.DeleteFunc(built, func(m *made) bool { return m == nil })
	if len(built) == 0 || *update {
		return
	}
	again(t, module, built)
	var vet, test []string
	for _, m := range built {
		if m.compiles {
			vet = append(vet, m.pattern())
		}
		if m.tests {
			test = append(test, m.pattern())
		}
	}
	run(t, module, "vet", vet...)
	if len(test) > 0 {
		run(t, module, "test", append([]string{"-vet=off"}, test...)...)
	}
}

// made is what a case without errors came to.
type made struct {
	name     string            // of the case
	files    map[string]string // by their paths below the case's folder
	compiles bool
	tests    bool
}

func (m *made) pattern() string { return "./" + m.name + "/..." }

// golden runs one case in dir. It returns nil for one with errors.
func golden(t *testing.T, file, dir string) *made {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if missing := missing(string(archive.Comment)); missing != "" {
		t.Log("not run: it needs " + missing)
		return nil
	}
	unpack(t, archive, dir)
	result := generate(t, dir)
	files := generated(t, result, dir)
	if *update {
		rewrite(t, file, archive, result, files)
		return nil
	}
	compare(t, archive, result, files)
	formatted(t, files)
	if _, err := result.Write(); err != nil {
		t.Fatal(err)
	}
	if result.Failed() {
		return nil
	}
	return &made{
		name:     filepath.Base(dir),
		files:    files,
		compiles: !strings.Contains(string(archive.Comment), "uncompiled"),
		tests:    slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.HasSuffix(f.Name, "_test.go") }),
	}
}

// missing is what a case needs and the machine lacks, or "".
func missing(comment string) string {
	switch {
	case strings.Contains(comment, "C compiler") && !compilesC():
		return "a C compiler"
	case strings.Contains(comment, "Linux") && runtime.GOOS != "linux":
		return "Linux"
	}
	return ""
}

// compilesC reports whether the go command has cgo, as it does where there is a
// C compiler.
var compilesC = sync.OnceValue(func() bool {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	return err == nil && strings.TrimSpace(string(out)) == "1"
})

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
	want, text, news := map[string]string{}, "", ""
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, wantFile); ok {
			want[name] = string(f.Data)
		} else if f.Name == wantText {
			text = string(f.Data)
		} else if f.Name == wantNews {
			news = string(f.Data)
		}
	}
	if diff := cmp.Diff(text, problems(result)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(news, renamings(result)); diff != "" {
		t.Errorf("buckets (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// formatted checks that files are as gofmt leaves them.
func formatted(t *testing.T, files map[string]string) {
	t.Helper()
	for name, content := range files {
		clean, err := format.Source([]byte(content))
		if err != nil || string(clean) != content {
			t.Errorf("%s is not formatted: %v", name, err)
		}
	}
}

// again checks that a second run, over the output of the first one and of all
// cases together, gives the same bytes. So that no names of rules clash, each
// case has its own names of packages.
func again(t *testing.T, module string, cases []*made) {
	t.Helper()
	first := map[string]string{}
	var patterns []string
	for _, m := range cases {
		patterns = append(patterns, m.pattern())
		for name, content := range m.files {
			first[path.Join(m.name, name)] = content
		}
	}
	second, err := generator.Generate(t.Context(), generator.Config{Dir: module, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	if second.Failed() {
		t.Errorf("all cases together have problems:\n%s", problems(second))
	}
	if diff := cmp.Diff(first, generated(t, second, module)); diff != "" {
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
	if news := renamings(result); news != "" {
		archive.Files = append(archive.Files, txtar.File{Name: wantNews, Data: []byte(news)})
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

func renamings(result *generator.Result) string {
	var b strings.Builder
	for _, line := range result.Renamed() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// run runs vet or test of the go command.
func run(t *testing.T, dir, command string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{command}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", command, err, out)
	}
}
