package generator

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/write"
)

// Problem is one thing to say about the source, an error or a note.
// Its String is "file:line:col: message".
type Problem = diag.Problem

// Error is several problems as an error.
type Error = diag.Error

// Result is what one generation found.
type Result struct {
	Files    []File    // in the order of the packages' paths
	Problems []Problem // sorted by position, without repetitions
	Rules    []Rule    // those without a problem, in the order of the source

	// Unmatched are the patterns that name no package. Each has a problem.
	Unmatched []string

	// Idle are the paths of the packages of a run that had nothing to do and
	// nothing to say: none of them has a directive, or a file to remove.
	Idle []string

	dir string
}

// File is what a generated file shall be.
type File struct {
	Path    string // absolute
	Content []byte // nil: there shall be no such file
}

// Failed reports whether any of the problems is an error.
func (r *Result) Failed() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return !p.Note })
}

// Meant returns the first pattern that names no package but is one of the words,
// or nearly one, and that word. Both are empty where there is none. What has a
// slash or a dot was meant for a path.
func (r *Result) Meant(words []string) (pattern, word string) {
	for _, p := range r.Unmatched {
		if w := suggest.Nearest(p, words); w != "" && !strings.ContainsAny(p, "/.") {
			return p, w
		}
	}
	return "", ""
}

// Write makes the files what they shall be, and returns the paths of those
// that were something else. A file is replaced at once or not at all, and
// never if it is not a generated one; the files of a folder are left as they are
// where one of them cannot be written. It goes on with the other folders, and
// the error is an *[Error].
func (r *Result) Write() (changed []string, err error) {
	var failures []error
	for _, files := range r.folders() {
		did, failed := write.Folder(files)
		changed, failures = append(changed, did...), append(failures, failed...)
	}
	return changed, r.failed(failures)
}

// folders are the files of each folder.
func (r *Result) folders() [][]write.File {
	var folders [][]write.File
	for i, f := range r.Files {
		if i == 0 || filepath.Dir(f.Path) != filepath.Dir(r.Files[i-1].Path) {
			folders = append(folders, nil)
		}
		last := len(folders) - 1
		folders[last] = append(folders[last], write.File(f))
	}
	return folders
}

// Diff returns a unified diff from the files on the disk to what they shall
// be, empty if they are; how their lines end makes no difference. The paths in it
// are relative to the run's directory. The error is an *[Error].
func (r *Result) Diff() (string, error) {
	var diff strings.Builder
	var failures []error
	for _, f := range r.Files {
		d, err := write.File(f).Diff(relative(r.dir, f.Path))
		diff.WriteString(d)
		if err != nil {
			failures = append(failures, err)
		}
	}
	return diff.String(), r.failed(failures)
}

// failed are failures as one *Error, nil if there are none.
func (r *Result) failed(failures []error) error {
	var list diag.List
	for _, err := range failures {
		list.Add(within(r.dir, problem(err)))
	}
	return list.Err()
}

// problem is an error as a problem of the file that it is about.
func problem(err error) Problem {
	if failure, ok := errors.AsType[*genfile.Failure](err); ok {
		return failure.Problem()
	}
	return Problem{Text: err.Error()}
}
