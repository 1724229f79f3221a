// Package write brings generated files to the disk: each is replaced at once
// or not at all, only where its bytes change, and only if it is ours.
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/aymanbagabas/go-udiff"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// File is what a file shall be.
type File struct {
	Path    string
	Content []byte // nil: there shall be no file
}

// NotOursError is the refusal to touch a file that another hand wrote.
type NotOursError struct{ Path string }

func (e *NotOursError) Error() string {
	return fmt.Sprintf("%s has no line %q, so it is not overwritten; rename it or remove it", filepath.Base(e.Path), genfile.Header)
}

// Write makes the file what it shall be, and reports whether it was something
// else before. The mode of a file that exists is kept.
func (f File) Write() (changed bool, err error) {
	old, err := f.read()
	if err != nil || same(old, f.Content) {
		return false, err
	}
	if f.Content == nil {
		return true, os.Remove(f.Path)
	}
	return true, f.replace()
}

// Diff returns a unified diff from the file as it is to what it shall be,
// empty where they are equal, with label for its name.
func (f File) Diff(label string) (string, error) {
	old, err := f.read()
	if err != nil || same(old, f.Content) {
		return "", err
	}
	from, to := label, label
	if old == nil {
		from = os.DevNull
	}
	if f.Content == nil {
		to = os.DevNull
	}
	return udiff.Unified(from, to, string(old), string(f.Content)), nil
}

// read returns the present content, nil where there is no file.
func (f File) read() ([]byte, error) {
	old, err := genfile.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !genfile.Ours(old):
		return nil, &NotOursError{f.Path}
	case old == nil:
		return []byte{}, nil
	}
	return old, nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func (f File) replace() (err error) {
	path, mode := f.Path, fs.FileMode(0)
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.Itoa(os.Getpid()))
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if err := fill(temp, f.Content, mode); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// fill writes a new file; mode 0 leaves its mode to the umask.
func fill(path string, content []byte, mode fs.FileMode) error {
	if err := os.WriteFile(path, content, 0o666); err != nil {
		return err
	}
	if mode == 0 {
		return nil
	}
	return os.Chmod(path, mode)
}
