package naming

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Scope is a set of identifiers that are taken, together with those of the
// scopes around it. The predeclared identifiers and the keywords are taken in
// every scope.
type Scope struct {
	outer *Scope
	taken map[string]bool
}

// NewScope returns a scope inside outer, which may be nil, with names taken.
func NewScope(outer *Scope, names ...string) *Scope {
	s := &Scope{outer: outer, taken: make(map[string]bool, len(names))}
	s.Take(names...)
	return s
}

// Take marks names as taken.
func (s *Scope) Take(names ...string) {
	for _, name := range names {
		s.taken[name] = true
	}
}

// Taken reports whether name is taken in s or around it.
func (s *Scope) Taken(name string) bool {
	for ; s != nil; s = s.outer {
		if s.taken[name] {
			return true
		}
	}
	return Predeclared(name) || token.IsKeyword(name) || name == "_"
}

// AppendOwn appends the names that are taken in s itself, in no order.
func (s *Scope) AppendOwn(names []string) []string {
	return slices.AppendSeq(names, maps.Keys(s.taken))
}

// Fresh takes and returns base, or where that is taken base with the first
// number, from 2, that makes it free.
func (s *Scope) Fresh(base string) string {
	name := base
	for n := 2; s.Taken(name); n++ {
		name = numbered(base, n)
	}
	s.Take(name)
	return name
}

// Predeclared reports whether name is declared in the universe scope.
func Predeclared(name string) bool {
	return types.Universe.Lookup(name) != nil
}

func numbered(base string, n int) string {
	if last, _ := utf8.DecodeLastRuneInString(base); unicode.IsDigit(last) {
		base += "_"
	}
	return base + strconv.Itoa(n)
}
