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
		changed, err := File{path, step.content}.Write()
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
	if _, err := (File{link, []byte(two)}).Write(); err != nil {
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
	if _, err := (File{link, []byte(two)}).Write(); err != nil {
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
		_, writeErr := f.Write()
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

func TestFailureLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	if _, err := (File{filepath.Join(dir, genfile.Set{}.Name()), []byte(one)}).Write(); err == nil {
		t.Error("no error for a folder that does not exist")
	}
	path := filepath.Join(t.TempDir(), genfile.Set{}.Name())
	if err := os.MkdirAll(filepath.Join(path, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := (File{path, []byte(one)}).Write(); err == nil {
		t.Error("no error for a folder in the file's place")
	}
	leaveNothingElse(t, filepath.Dir(path), 1)
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
