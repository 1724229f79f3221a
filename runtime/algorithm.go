package ratelimit

import "github.com/ratelimitgen/ratelimitgen/internal/rules"

// Algorithm is a way to count calls.
type Algorithm uint8

const (
	// FixedWindow counts the calls of a window that its first call opens.
	// Limits to 2^53. Up to twice the limit can pass across the edge of two
	// windows.
	FixedWindow = Algorithm(rules.FixedWindow)

	// SlidingWindow admits never more than the limit in any interval of the
	// window's length. It remembers each call that passed, so limits end at
	// 100,000.
	SlidingWindow = Algorithm(rules.SlidingWindow)
)

// String returns the name that directives have for a, as in "sliding".
func (a Algorithm) String() string {
	if r := rules.Algorithm(a); r.Valid() {
		return r.Info().Item
	}
	return "unknown algorithm"
}
