package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// A fixed window is the time of the call that opened it, in last, and a count.

func (s *state) checkFixed(it *ratelimit.Item, t int64) sight {
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
	return sight{now: n}
}

func (s *state) chargeFixed(it *ratelimit.Item, v sight, t int64) {
	n, w := v.now, window(it)
	if s.count == 0 || n >= s.last+w {
		s.last, s.count = n, 0
	}
	s.count += it.Cost
	it.ResetAfter = micros(s.last + w - t)
	it.Receipt = s.last
}

// refundWindow is that of a fixed or calendar window: only the window that was
// charged gets its calls back.
func (s *state) refundWindow(it *ratelimit.Item, n, receipt int64) bool {
	open := n < s.last+window(it)
	if it.Rule.Calendar != 0 {
		open = n == s.last
	}
	if !open || s.count == 0 || s.last != receipt {
		return false
	}
	s.count = max(0, s.count-it.Cost)
	return true
}
