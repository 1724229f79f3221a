package generator

import (
	"errors"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/write"
)

// Problem is one thing to say about the source, an error or a note.
// Its String is "file:line:col: message".
type Problem = diag.Problem

// Result is what one generation found.
type Result struct {
	Files    []File    // in the order of the packages' paths
	Problems []Problem // sorted by position, without repetitions
	Rules    []Rule    // those without a problem, in the order of the source

	// Unmatched are the patterns that name no package. Each has a problem.
	Unmatched []string

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
// never if it is not a generated one. After an error it goes on with the
// others.
func (r *Result) Write() (changed []string, err error) {
	var failures []error
	for _, f := range r.Files {
		did, err := write.File(f).Write()
		if did {
			changed = append(changed, f.Path)
		}
		failures = append(failures, err)
	}
	return changed, errors.Join(failures...)
}

// Diff returns a unified diff from the files on the disk to what they shall
// be, empty if they are. The paths in it are relative to the run's directory.
func (r *Result) Diff() (string, error) {
	var diff strings.Builder
	var failures []error
	for _, f := range r.Files {
		d, err := write.File(f).Diff(relative(r.dir, f.Path))
		diff.WriteString(d)
		failures = append(failures, err)
	}
	return diff.String(), errors.Join(failures...)
}
