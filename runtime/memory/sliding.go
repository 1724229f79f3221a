package memory

import (
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// An exact sliding window is the times of the calls that passed. They are
// forgotten by the next charge after they have ceased to count.

func (s *state) checkSliding(it *ratelimit.Item, t int64) sight {
	w := window(it)
	if s.last > t+w {
		s.last = t
		s.calls().cap(t)
	}
	n := max(t, s.last)
	calls := s.calls()
	dead := calls.until(n - w)
	used := calls.len() - dead
	if verdict(it, int64(used), it.Limit, min(it.Limit, rules.MaxCharge)) {
		need := int64(used) + it.Cost - it.Limit
		it.RetryAfter = micros(calls.at(dead+int(need)-1) + w - t)
	}
	if used > 0 {
		it.ResetAfter = micros(s.last + w - t)
	}
	return sight{now: n, dead: dead}
}

func (s *state) chargeSliding(it *ratelimit.Item, v sight, t int64) {
	calls := s.calls()
	calls.drop(v.dead)
	calls.push(v.now, int(it.Cost))
	s.last = v.now
	it.ResetAfter = micros(v.now + window(it) - t)
	it.Receipt = v.now
}

func (s *state) refundSliding(it *ratelimit.Item, n, receipt int64) bool {
	calls := s.calls()
	if receipt <= n-window(it) || !calls.remove(receipt, int(min(it.Cost, rules.MaxCharge))) {
		return false
	}
	if left := calls.len(); left > 0 {
		s.last = calls.at(left - 1)
	}
	return true
}
