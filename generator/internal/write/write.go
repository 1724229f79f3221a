// Package write brings generated files to the disk: each is replaced at once
// or not at all, only where it says something else, and only if it is ours.
package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// read returns the present content, nil where there is no file. Its lines end as
// ours do: what git makes of the ends in a working copy is nobody's change.
func (f File) read() ([]byte, error) {
	old, err := genfile.ReadFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !genfile.Ours(old):
		return nil, genfile.Unwritten(f.Path, &NotOursError{f.Path})
	case old == nil:
		return []byte{}, nil
	}
	return bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), nil
}

func same(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }
