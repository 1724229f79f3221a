package memory

import (
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// An exact sliding window is the times of the calls that passed. They are
// forgotten by the next charge after they have ceased to count.

func (s *state) checkSliding(it *ratelimit.Item, t int64) int64 {
	w := window(it)
	if s.last > t+w {
		s.last = t
		s.calls.cap(t)
	}
	n := max(t, s.last)
	dead := s.calls.until(n - w)
	used := s.calls.len() - dead
	if verdict(it, int64(used), it.Limit, min(it.Limit, rules.MaxCharge)) {
		need := int64(used) + it.Cost - it.Limit
		it.RetryAfter = micros(s.calls.at(dead+int(need)-1) + w - t)
	}
	if used > 0 {
		it.ResetAfter = micros(s.last + w - t)
	}
	return n
}

func (s *state) chargeSliding(it *ratelimit.Item, n, t int64) {
	w := window(it)
	if s.calls == nil {
		s.calls = new(ring)
	}
	s.calls.drop(s.calls.until(n - w))
	s.calls.push(n, int(it.Cost))
	s.last = n
	it.Remaining = it.Limit - int64(s.calls.len())
	it.ResetAfter = micros(n + w - t)
	it.Receipt = n
}

func (s *state) refundSliding(it *ratelimit.Item, n, receipt int64) bool {
	if receipt <= n-window(it) || !s.calls.remove(receipt, int(min(it.Cost, rules.MaxCharge))) {
		return false
	}
	if left := s.calls.len(); left > 0 {
		s.last = s.calls.at(left - 1)
	}
	return true
}
