package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// A fixed window is the time of the call that opened it, in last, and a count.

func (s *state) checkFixed(it *ratelimit.Item, t int64) int64 {
	w := window(it)
	if s.last > t+w {
		s.last = t
	}
	n, used := max(t, s.last), s.count
	if n >= s.last+w {
		used = 0
	}
	if verdict(it, used, it.Limit, it.Limit) {
		it.RetryAfter = micros(s.last + w - t)
	}
	if used > 0 {
		it.ResetAfter = micros(s.last + w - t)
	}
	return n
}

func (s *state) chargeFixed(it *ratelimit.Item, n, t int64) {
	w := window(it)
	if s.count == 0 || n >= s.last+w {
		s.last, s.count = n, 0
	}
	s.count += it.Cost
	it.Remaining = it.Limit - s.count
	it.ResetAfter = micros(s.last + w - t)
}
