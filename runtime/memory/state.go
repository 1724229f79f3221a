package memory

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// algorithms is how many this store knows.
const algorithms = ratelimit.SlidingWindow + 1

// state is what is remembered of one bucket. The zero state is that of a
// bucket that was never used.
type state struct {
	last  int64 // the newest time in it
	count int64
	calls *ring
}

// check fills in what holds if nothing is charged, and returns the time as the
// algorithm sees it.
func (s *state) check(it *ratelimit.Item, t int64) int64 {
	w := int64(it.Rule.Window / time.Microsecond)
	if it.Rule.Algorithm == ratelimit.SlidingWindow {
		return s.checkSliding(it, t, w)
	}
	return s.checkFixed(it, t, w)
}

// charge takes what check has allowed, n being the time that it returned.
func (s *state) charge(it *ratelimit.Item, n, t int64) {
	w := int64(it.Rule.Window / time.Microsecond)
	if it.Rule.Algorithm == ratelimit.SlidingWindow {
		s.chargeSliding(it, n, t, w)
	} else {
		s.chargeFixed(it, n, t, w)
	}
}

// verdict starts the result of an item whose bucket of the given capacity has
// used calls, and reports whether it remains to be said when to retry.
func verdict(it *ratelimit.Item, used, capacity int64) (refused bool) {
	it.Result = ratelimit.Result{Remaining: max(0, capacity-used)}
	switch {
	case it.Cost > capacity:
		it.RetryAfter = ratelimit.Never
	case it.Cost > capacity-used:
		return true
	default:
		it.Allowed = true
	}
	return false
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
