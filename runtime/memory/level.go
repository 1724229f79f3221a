package memory

import (
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/exact"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// A token or leaky bucket is a level, in units of which a call has as many as
// the window has microseconds, and of which the limit drains in each
// microsecond: whole calls in count, and units in rest. It was so at last,
// when it was charged under the limit that is in rate.

// level returns the units at n, and how many drain in a microsecond.
func (s *state) level(limit, n, w int64) (units exact.Wide, rate int64) {
	rate = max(limit, s.rate)
	return exact.Mul(s.count, w).Plus(s.rest).Minus(exact.Mul(n-s.last, rate)), rate
}

func (s *state) checkLevel(it *ratelimit.Item, t int64) int64 {
	w := window(it)
	if s.last > t+w {
		s.last = t
	}
	n := max(t, s.last)
	units, rate := s.level(it.Limit, n, w)
	capacity := it.Rule.Capacity(it.Limit)
	if verdict(it, units.DivUp(w), capacity, capacity) {
		over := units.Minus(exact.Mul(capacity-it.Cost, w))
		it.RetryAfter = micros(n - t + over.DivUp(rate))
	}
	if it.MaxDelay > 0 && it.RetryAfter != ratelimit.Never && it.Rule.Algorithm == ratelimit.LeakyBucket {
		it.RetryAfter = max(it.RetryAfter, patience(it, units, rate, n-t))
		it.Allowed = it.RetryAfter == 0
	}
	if !units.Zero() {
		it.ResetAfter = micros(n - t + units.DivUp(rate))
	}
	return n
}

// patience returns how long it takes until a turn is not further off than it
// may be.
func patience(it *ratelimit.Item, units exact.Wide, rate, ahead int64) time.Duration {
	most := int64(it.MaxDelay / time.Microsecond)
	if over := units.Minus(exact.Mul(most, it.Limit)); !over.Zero() {
		return micros(ahead + over.DivUp(rate))
	}
	return micros(max(0, delay(units, it.Limit, ahead)-most)) // above 0 if the clock is behind
}

// delay returns how long it is until the turn of a call that finds units.
func delay(units exact.Wide, limit, ahead int64) int64 {
	if units.Zero() {
		return 0
	}
	return ahead + units.DivUp(limit)
}

func (s *state) chargeLevel(it *ratelimit.Item, n, t int64) {
	w := window(it)
	units, _ := s.level(it.Limit, n, w)
	if it.Rule.Algorithm == ratelimit.LeakyBucket {
		it.Delay = micros(delay(units, it.Limit, n-t))
	}
	s.count, s.rest = units.Div(w)
	s.count += it.Cost
	s.last, s.rate = n, it.Limit
	if it.Rule.Algorithm == ratelimit.LeakyBucket {
		it.Receipt = s.end(w)
	}
	units, rate := s.level(it.Limit, n, w)
	it.Remaining = it.Rule.Capacity(it.Limit) - units.DivUp(w)
	it.ResetAfter = micros(n - t + units.DivUp(rate))
}

// end returns when the queue of a leaky bucket is empty.
func (s *state) end(w int64) int64 {
	return s.last + exact.Mul(s.count, w).Plus(s.rest).DivUp(s.rate)
}

// refundLevel takes calls out of what is left of the level.
func (s *state) refundLevel(it *ratelimit.Item, n int64) bool {
	w := window(it)
	units, _ := s.level(it.Limit, n, w)
	if units.Zero() {
		return false
	}
	s.count, s.rest = units.Minus(exact.Mul(it.Cost, w)).Div(w)
	s.last = n
	return true
}
