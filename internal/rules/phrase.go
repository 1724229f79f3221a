package rules

import (
	"fmt"
	"time"
)

// Phrase says in English what a rule admits, as in "3 calls in any 1m0s". It
// stands in generated comments and in errors.
func Phrase(a Algorithm, limit int64, window time.Duration) string {
	calls := fmt.Sprintf("%d calls", limit)
	if limit == 1 {
		calls = "1 call"
	}
	switch a {
	case SlidingWindow:
		return fmt.Sprintf("%s in any %v", calls, window)
	default:
		return fmt.Sprintf("%s in %v from the first one", calls, window)
	}
}

// Worst says in English what a rule admits at worst beyond its phrase, or "".
func Worst(a Algorithm, limit int64) string {
	if a == FixedWindow {
		return fmt.Sprintf("up to %d can pass across the edge of two windows", 2*limit)
	}
	return ""
}
