package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Problem is one thing to say about the user's source.
type Problem struct {
	Pos  token.Position // Column is 1-based and counts bytes
	Text string         // one line, no full stop
	Note bool           // advice: changes no exit code
}

// String returns p as "file:line:col: message", with "note: " before the
// message of a note. Parts of the position that are unknown are left out.
func (p Problem) String() string {
	var b strings.Builder
	if p.Pos.Filename != "" {
		b.WriteString(p.Pos.Filename + ":")
	}
	if p.Pos.Line > 0 {
		fmt.Fprintf(&b, "%d:", p.Pos.Line)
		if p.Pos.Column > 0 {
			fmt.Fprintf(&b, "%d:", p.Pos.Column)
		}
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if p.Note {
		b.WriteString("note: ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// Compare orders problems by file, line, column and text, and an error before
// a note of the same text.
func (p Problem) Compare(q Problem) int {
	return cmp.Or(
		strings.Compare(p.Pos.Filename, q.Pos.Filename),
		cmp.Compare(p.Pos.Line, q.Pos.Line),
		cmp.Compare(p.Pos.Column, q.Pos.Column),
		strings.Compare(p.Text, q.Text),
		compareBool(p.Note, q.Note),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// List collects problems. The zero value is an empty list. It is not safe for
// concurrent use.
type List struct {
	problems []Problem
}

// Add adds problems in any order.
func (l *List) Add(problems ...Problem) { l.problems = append(l.problems, problems...) }

// Addf adds an error at pos.
func (l *List) Addf(pos token.Position, format string, args ...any) {
	l.Add(Problem{Pos: pos, Text: fmt.Sprintf(format, args...)})
}

// Notef adds a note at pos.
func (l *List) Notef(pos token.Position, format string, args ...any) {
	l.Add(Problem{Pos: pos, Text: fmt.Sprintf(format, args...), Note: true})
}

// Merge adds what other holds.
func (l *List) Merge(other *List) { l.Add(other.problems...) }

// Problems returns what was added, notes included, sorted and without
// repetitions. The list keeps no reference to the result.
func (l *List) Problems() []Problem {
	sorted := slices.Clone(l.problems)
	slices.SortFunc(sorted, Problem.Compare)
	return slices.CompactFunc(sorted, func(a, b Problem) bool { return a.Compare(b) == 0 })
}

// HasErrors reports whether the list holds a problem that is no note.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.problems, func(p Problem) bool { return !p.Note })
}

// Err returns nil when the list has no errors, else an [Error] with all of
// its problems, notes included.
func (l *List) Err() error {
	if !l.HasErrors() {
		return nil
	}
	return &Error{Problems: l.Problems()}
}

// Error is a list of problems as an error.
type Error struct {
	Problems []Problem // sorted, without repetitions
}

// Error returns the problems, one a line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
