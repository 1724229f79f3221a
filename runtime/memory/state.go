package memory

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// algorithms is how many this store knows.
const algorithms = ratelimit.LeakyBucket + 1

// state is what is remembered of one bucket. The zero state is that of a
// bucket that was never used. What the fields mean depends on the algorithm.
type state struct {
	last  int64 // the newest time in it
	count int64
	rest  int64
	rate  int64
	more  *more
}

// sight is what check has found in a state, so that nothing has to be found
// again.
type sight struct {
	now int64 // the time as the algorithm sees it
	level
	dead int // of a sliding window: how many times do not count
}

// calls are those of a sliding window.
func (s *state) calls() ring { return ring{s} }

// check fills in what holds if nothing is charged, and returns what it has
// found. It changes the state only to repair it. ResetAfter of a level takes a
// division and waits for reset, since a charge has another one.
func (s *state) check(it *ratelimit.Item, t int64) sight {
	switch it.Rule.Algorithm {
	case ratelimit.SlidingWindow:
		return s.checkSliding(it, t)
	case ratelimit.SlidingCounter:
		return s.checkCounter(it, t)
	case ratelimit.TokenBucket, ratelimit.LeakyBucket:
		return s.checkLevel(it, t)
	}
	if it.Rule.Calendar != 0 {
		return s.checkCalendar(it, t)
	}
	return s.checkFixed(it, t)
}

// reset fills in ResetAfter where check has left that out.
func (s *state) reset(it *ratelimit.Item, v sight, t int64) {
	switch it.Rule.Algorithm {
	case ratelimit.TokenBucket, ratelimit.LeakyBucket:
		s.resetLevel(it, v, t)
	}
}

// charge takes what check has allowed.
func (s *state) charge(it *ratelimit.Item, v sight, t int64) {
	it.Remaining -= it.Cost
	switch {
	case it.Rule.Algorithm == ratelimit.SlidingWindow:
		s.chargeSliding(it, v, t)
	case it.Rule.Algorithm == ratelimit.SlidingCounter:
		s.chargeCounter(it, v, t)
	case it.Rule.Algorithm != ratelimit.FixedWindow:
		s.chargeLevel(it, v, t)
	case it.Rule.Calendar != 0:
		s.chargeCalendar(it, v, t)
	default:
		s.chargeFixed(it, v, t)
	}
}

// refund takes it.Cost of the call of the receipt out again, n being the time
// that check has found, and reports whether there was anything of it.
func (s *state) refund(it *ratelimit.Item, n, receipt int64) bool {
	switch it.Rule.Algorithm {
	case ratelimit.SlidingWindow:
		return s.refundSliding(it, n, receipt)
	case ratelimit.SlidingCounter:
		return s.refundCounter(it, n, receipt)
	case ratelimit.LeakyBucket:
		return s.end(window(it)) == receipt && s.refundLevel(it, n)
	case ratelimit.TokenBucket:
		return s.refundLevel(it, n)
	}
	return s.refundWindow(it, n, receipt)
}

// empty reports whether the state is that of a bucket that was never used, but
// for the times in it.
func (s *state) empty() bool { return s.count == 0 && s.rest == 0 }

// over returns when a state that was charged is as if never used.
func (s *state) over(r *ratelimit.Rule) int64 {
	w := windowOf(r)
	switch {
	case r.Algorithm == ratelimit.SlidingCounter:
		return s.last + 2*w
	case r.Algorithm == ratelimit.TokenBucket || r.Algorithm == ratelimit.LeakyBucket:
		return s.end(w)
	case r.Calendar != 0:
		_, end := r.WindowAt(s.last)
		return end
	}
	return s.last + w
}

// verdict starts the result of an item whose bucket of the given capacity has
// used calls, and whose cost may be most. It reports whether it remains to be
// said when to retry.
func verdict(it *ratelimit.Item, used, capacity, most int64) (refused bool) {
	it.Result = ratelimit.Result{Remaining: max(0, capacity-used)}
	switch {
	case it.Cost > most:
		it.RetryAfter = ratelimit.Never
	case it.Cost > capacity-used:
		return true
	default:
		it.Allowed = true
	}
	return false
}

// window returns the length of a rule's window in microseconds.
func window(it *ratelimit.Item) int64 { return windowOf(it.Rule) }

func windowOf(r *ratelimit.Rule) int64 { return int64(r.Window / time.Microsecond) }

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
