package genfile

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
)

// Failure is something that cannot be done with a file.
type Failure struct {
	Path string
	What string // cannot be done: read, written or removed
	Err  error
}

// failure is a *Failure, nil without an error.
func failure(path, what string, err error) error {
	if err == nil {
		return nil
	}
	return &Failure{path, what, err}
}

// Unwritten is the failure to write a file, nil without an error.
func Unwritten(path string, err error) error { return failure(path, "written", err) }

// Unremoved is the failure to remove a file, nil without an error.
func Unremoved(path string, err error) error { return failure(path, "removed", err) }

func (f *Failure) Error() string { return f.Problem().String() }

func (f *Failure) Unwrap() error { return f.Err }

// Problem is the failure as one of a run.
func (f *Failure) Problem() diag.Problem {
	return diag.Problem{Pos: token.Position{Filename: f.Path}, Text: fmt.Sprintf("cannot be %s: %v", f.What, reason(f.Err))}
}

// reason is an error of the system without its call and the path, which may be
// that of a file that nobody knows.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
