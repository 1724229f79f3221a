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

	// SlidingCounter is an approximate sliding window that remembers two
	// counts only: that of the running window and, as if its calls had come
	// evenly, that of the one before. Limits to 2^53. If calls come at the
	// edges of windows, up to twice the limit, less one, can pass in a window.
	SlidingCounter = Algorithm(rules.SlidingCounter)

	// TokenBucket holds Burst tokens, starts full and refills at Limit tokens
	// per Window; a call takes one for each unit of its cost. Limits and bursts
	// to 2^53. In an interval of length d at most Burst + Limit*d/Window calls
	// pass.
	TokenBucket = Algorithm(rules.TokenBucket)

	// LeakyBucket is a queue that calls leave at the constant rate of Limit per
	// Window: a Decision says with Delay how long it is until the call's turn.
	// One goes at once, up to Burst more may wait. Limits and bursts to 2^53-1.
	// In an interval of length d at most 1 + Limit*d/Window turns come, rounded
	// up.
	LeakyBucket = Algorithm(rules.LeakyBucket)
)

// String returns the name that directives have for a, as in "sliding".
func (a Algorithm) String() string {
	if r := rules.Algorithm(a); r.Valid() {
		return r.Info().Item
	}
	return "unknown algorithm"
}
