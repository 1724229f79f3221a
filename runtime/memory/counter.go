package memory

import (
	"github.com/ratelimitgen/ratelimitgen/internal/exact"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// A sliding window counter is the beginning of a window, in last, its count,
// and the count of the window before it, in rest.

// counts is a counter as it is in the window that some time is in.
type counts struct {
	window   int64 // its length
	begin    int64
	current  int64
	previous int64
}

func (s *state) counts(n, w int64) counts {
	c := counts{window: w, begin: n - n%w}
	switch c.begin - s.last {
	case 0:
		c.current, c.previous = s.count, s.rest
	case w:
		c.previous = s.count
	}
	return c
}

// used returns the calls that count at n.
func (c *counts) used(n int64) int64 {
	left := c.begin + c.window - n
	return c.current + exact.Mul(c.previous, left).DivUp(c.window)
}

// reset returns when nothing counts any more; t if that is so already.
func (c *counts) reset(t int64) int64 {
	switch {
	case c.current > 0:
		return c.begin + 2*c.window
	case c.previous > 0:
		return c.begin + c.window
	}
	return t
}

// retry returns when a cost passes that does not pass yet: in this window as
// soon as the previous one weighs little enough, or in the next.
func (c *counts) retry(cost, limit int64) int64 {
	if room := limit - c.current - cost; room >= 0 {
		left, _ := exact.Mul(room, c.window).Div(c.previous)
		return c.begin + c.window - left
	}
	left, _ := exact.Mul(limit-cost, c.window).Div(c.current)
	return c.begin + 2*c.window - left
}

func (s *state) checkCounter(it *ratelimit.Item, t int64) sight {
	w := window(it)
	if s.last > t+w {
		s.last = t - t%w
	}
	n := max(t, s.last)
	c := s.counts(n, w)
	if verdict(it, c.used(n), it.Limit, it.Limit) {
		it.RetryAfter = micros(c.retry(it.Cost, it.Limit) - t)
	}
	it.ResetAfter = micros(c.reset(t) - t)
	return sight{now: n}
}

func (s *state) chargeCounter(it *ratelimit.Item, v sight, t int64) {
	c := s.counts(v.now, window(it))
	c.current += it.Cost
	s.last, s.count, s.rest = c.begin, c.current, c.previous
	it.ResetAfter = micros(c.reset(t) - t)
	it.Receipt = c.begin
}

// refundCounter gives calls back to the window that was charged, as long as it
// counts.
func (s *state) refundCounter(it *ratelimit.Item, n, receipt int64) bool {
	w := window(it)
	c := s.counts(n, w)
	if c.current+c.previous == 0 || receipt < c.begin-w {
		return false
	}
	cell := &s.count
	switch receipt {
	case s.last:
	case s.last - w:
		cell = &s.rest
	default:
		return false
	}
	found := *cell > 0
	*cell = max(0, *cell-it.Cost)
	return found
}
