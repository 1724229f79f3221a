package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// A calendar window is the time at which it begins, in last, and a count.

// checkCalendar returns the beginning of the window that counts.
func (s *state) checkCalendar(it *ratelimit.Item, t int64) sight {
	begin, end := it.Rule.WindowAt(t)
	if s.last >= end {
		next := end
		if _, end = it.Rule.WindowAt(next); s.last < end {
			begin = next
		} else {
			s.last, end = begin, next
		}
	}
	used := s.count
	if s.last < begin {
		used = 0
	}
	if verdict(it, used, it.Limit, it.Limit) {
		it.RetryAfter = micros(end - t)
	}
	if used > 0 {
		it.ResetAfter = micros(end - t)
	}
	return sight{now: begin}
}

func (s *state) chargeCalendar(it *ratelimit.Item, v sight, t int64) {
	begin := v.now
	if s.last < begin {
		s.count = 0
	}
	s.last = begin
	s.count += it.Cost
	_, end := it.Rule.WindowAt(begin)
	it.ResetAfter = micros(end - t)
	it.Receipt = begin
}
