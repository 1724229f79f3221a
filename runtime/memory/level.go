package memory

import (
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/exact"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// A token or leaky bucket is a level, in count and rest. It was so at last, when
// it was charged under the limit that is in rate.

// level is the calls that have not drained yet, counted in units of which a call
// has as many as the window has microseconds, and of which the limit drains in
// each microsecond.
type level struct {
	calls int64 // whole ones
	units int64 // of one more
}

// used returns the calls, rounded up.
func (l level) used() int64 {
	if l.units > 0 {
		return l.calls + 1
	}
	return l.calls
}

func (l level) zero() bool { return l == level{} }

// wide returns all units of l.
func (l level) wide(w int64) exact.Wide { return exact.Mul(l.calls, w).Plus(l.units) }

// minus returns l without so many units, at least 0.
func (l level) minus(units exact.Wide, w int64) level {
	calls, rest := units.Div(w)
	l.calls -= calls
	if l.units -= rest; l.units < 0 {
		l.calls, l.units = l.calls-1, l.units+w
	}
	if l.calls < 0 {
		return level{}
	}
	return l
}

// at returns the level at n, and how many units drain in a microsecond.
func (s *state) at(n, limit, w int64) (l level, rate int64) {
	l, rate = level{s.count, s.rest}, max(limit, s.rate)
	if n > s.last && !l.zero() {
		l = l.minus(exact.Mul(n-s.last, rate), w)
	}
	return l, rate
}

func (s *state) checkLevel(it *ratelimit.Item, t int64) sight {
	w := window(it)
	if s.last > t+w {
		s.last = t
	}
	n := max(t, s.last)
	l, rate := s.at(n, it.Limit, w)
	capacity := it.Rule.Capacity(it.Limit)
	if verdict(it, l.used(), capacity, capacity) {
		over := l.wide(w).Minus(exact.Mul(capacity-it.Cost, w))
		it.RetryAfter = micros(n - t + over.DivUp(rate))
	}
	if it.MaxDelay > 0 && it.RetryAfter != ratelimit.Never && it.Rule.Algorithm == ratelimit.LeakyBucket {
		it.RetryAfter = max(it.RetryAfter, patience(it, l.wide(w), rate, n-t))
		it.Allowed = it.RetryAfter == 0
	}
	return sight{now: n, level: l}
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

func (s *state) resetLevel(it *ratelimit.Item, v sight, t int64) {
	if !v.level.zero() {
		it.ResetAfter = micros(v.now - t + v.level.wide(window(it)).DivUp(max(it.Limit, s.rate)))
	}
}

func (s *state) chargeLevel(it *ratelimit.Item, v sight, t int64) {
	w, leaky := window(it), it.Rule.Algorithm == ratelimit.LeakyBucket
	if leaky {
		it.Delay = micros(delay(v.level.wide(w), it.Limit, v.now-t))
	}
	s.count, s.rest = v.level.calls+it.Cost, v.level.units
	if s.last = v.now; s.rate != it.Limit {
		s.rate = it.Limit
	}
	end := s.end(w)
	it.ResetAfter = micros(end - t)
	if leaky {
		it.Receipt = end
	}
}

// end returns when a bucket that has been charged is empty.
func (s *state) end(w int64) int64 {
	return s.last + level{s.count, s.rest}.wide(w).DivUp(s.rate)
}

// refundLevel takes calls out of what is left of the level.
func (s *state) refundLevel(it *ratelimit.Item, n int64) bool {
	w := window(it)
	l, _ := s.at(n, it.Limit, w)
	if l.zero() {
		return false
	}
	l = l.minus(exact.Mul(it.Cost, w), w)
	s.count, s.rest, s.last = l.calls, l.units, n
	return true
}
