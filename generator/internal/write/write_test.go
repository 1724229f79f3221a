package write

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

const (
	one = genfile.Header + "\n\npackage one\n"
	two = genfile.Header + "\n\npackage two\n"
)

func TestWriteCreatesReplacesAndRemoves(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	for _, step := range []struct {
		content []byte
		changed bool
	}{
		{nil, false},
		{[]byte(one), true},
		{[]byte(one), false},
		{[]byte(two), true},
		{nil, true},
		{nil, false},
	} {
		changed, err := write(File{path, step.content})
		if err != nil || changed != step.changed {
			t.Fatalf("Write(%q) = %v, %v", step.content, changed, err)
		}
		got, err := os.ReadFile(path)
		if (step.content == nil) != errors.Is(err, fs.ErrNotExist) || string(got) != string(step.content) {
			t.Fatalf("after Write(%q): %q, %v", step.content, got, err)
		}
	}
	leaveNothingElse(t, filepath.Dir(path), 0)
}

func TestWriteKeepsModeLinkAndTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.go"), filepath.Join(dir, genfile.Set{}.Name())
	put(t, target, one, 0o640)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if _, err := write(File{link, []byte(two)}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(target)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Fatalf("the link is gone: %v, %v", info.Mode(), err)
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(target, past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := write(File{link, []byte(two)}); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(target); !info.ModTime().Equal(past) {
		t.Error("a file that need not change was written")
	}
	leaveNothingElse(t, dir, 2)
}

func TestForeignFilesAreNeverTouched(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	const theirs = "package theirs\n"
	put(t, path, theirs, 0o644)
	for _, content := range [][]byte{nil, []byte(one)} {
		f := File{path, content}
		_, writeErr := write(f)
		_, diffErr := f.Diff("x")
		for _, err := range []error{writeErr, diffErr} {
			if _, ok := errors.AsType[*NotOursError](err); !ok {
				t.Errorf("content %q: error %v", content, err)
			}
		}
	}
	if got, _ := os.ReadFile(path); string(got) != theirs {
		t.Errorf("the file is now %q", got)
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	put(t, path, one, 0o644)
	for _, tt := range []struct {
		path    string
		content []byte
		want    []string
	}{
		{path, []byte(one), nil},
		{path, []byte(two), []string{"--- a/b.go\n+++ a/b.go\n", "-package one\n", "+package two\n"}},
		{path, nil, []string{"--- a/b.go\n+++ /dev/null\n", "-package one\n"}},
		{path + "x", []byte(one), []string{"--- /dev/null\n+++ a/b.go\n", "+package one\n"}},
		{path + "x", nil, nil},
	} {
		got, err := File{tt.path, tt.content}.Diff("a/b.go")
		if err != nil || (got == "") != (tt.want == nil) {
			t.Fatalf("Diff(%q) = %q, %v", tt.content, got, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("the diff lacks %q:\n%s", want, got)
			}
		}
	}
}

// TestLineEnds has what git makes of a file in a working copy where it is told to.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	crlf := strings.ReplaceAll(one, "\n", "\r\n")
	for _, there := range []string{crlf, genfile.Header + "\r\n\npackage one\n"} {
		put(t, path, there, 0o644)
		if diff, err := (File{path, []byte(one)}).Diff("x"); diff != "" || err != nil {
			t.Errorf("the diff of nothing but line ends is %q, %v", diff, err)
		}
		if changed, err := write(File{path, []byte(one)}); changed || err != nil {
			t.Errorf("a file was written for its line ends: %v", err)
		}
		if got, _ := os.ReadFile(path); string(got) != there {
			t.Errorf("the file is now %q", got)
		}
	}
	put(t, path, crlf, 0o644)
	const want = "--- x\n+++ x\n@@ -1,3 +1,3 @@\n " + genfile.Header + "\n \n-package one\n+package two\n"
	if diff, err := (File{path, []byte(two)}).Diff("x"); diff != want || err != nil {
		t.Errorf("the diff is %q, %v; want %q", diff, err, want)
	}
	if changed, err := write(File{path, []byte(two)}); !changed || err != nil {
		t.Errorf("the file was not written: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != two {
		t.Errorf("the file is now %q", got)
	}
}

// TestFolderIsWrittenTogether has a file that cannot be written after those that
// can be: one new, one to replace and one to remove.
func TestFolderIsWrittenTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := func(base string) string { return filepath.Join(dir, base) }
	put(t, name("b.go"), one, 0o644)
	put(t, name("c.go"), one, 0o644)
	put(t, name("d.go"), "package theirs\n", 0o644)
	files := []File{{name("a.go"), []byte(two)}, {name("b.go"), []byte(two)}, {name("c.go"), nil}, {name("d.go"), []byte(two)}}
	changed, failures := Folder(files)
	want := name("d.go") + ": cannot be written: d.go has no line "
	if len(changed) != 0 || len(failures) != 1 || !strings.HasPrefix(failures[0].Error(), want) {
		t.Errorf("changed %v, failures %v", changed, failures)
	}
	for _, base := range []string{"b.go", "c.go"} {
		if got, err := os.ReadFile(name(base)); string(got) != one {
			t.Errorf("%s is now %q, %v", base, got, err)
		}
	}
	leaveNothingElse(t, dir, 3)
	if changed, failures := Folder(files[:3]); len(changed) != 3 || len(failures) != 0 {
		t.Errorf("without it changed %v, failures %v", changed, failures)
	}
	leaveNothingElse(t, dir, 3)
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	if _, err := write(File{filepath.Join(dir, genfile.Set{}.Name()), []byte(one)}); err == nil {
		t.Error("no error for a folder that does not exist")
	}
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	if err := os.MkdirAll(filepath.Join(path, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := write(File{path, []byte(one)}); err == nil {
		t.Error("no error for a folder in the file's place")
	}
	leaveNothingElse(t, filepath.Dir(path), 1)
}

// write makes a file what it shall be, and reports whether it was something else.
func write(f File) (changed bool, err error) {
	paths, failures := Folder([]File{f})
	return len(paths) > 0, errors.Join(failures...)
}

func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func leaveNothingElse(t *testing.T, dir string, want int) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != want {
		t.Errorf("%d entries in the folder, want %d: %v %v", len(entries), want, entries, err)
	}
}
