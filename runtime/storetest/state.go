package storetest

import (
	"fmt"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// state is what an algorithm remembers of one bucket.
type state interface {
	// newest returns the newest time in the state, if there is any.
	newest() (int64, bool)
	// repair makes the newest time t if it is too far ahead of that.
	repair(t int64)
	// used returns how many calls the bucket holds at n.
	used(n, limit int64) int64
	// charge adds a call at n, and returns the receipt for it.
	charge(n, cost, limit int64) (receipt int64)
	// refund takes cost of the call of the receipt out again at n, if that is
	// still there.
	refund(n, receipt, cost, limit int64) bool
	// turn returns how long after n it is the turn of a call that comes at n.
	turn(n, limit int64) int64
}

func newState(r *ratelimit.Rule) state {
	w := r.Window.Microseconds()
	switch r.Algorithm {
	case ratelimit.FixedWindow:
		if r.Calendar != 0 {
			return &calendar{rule: r}
		}
		return &fixed{window: w}
	case ratelimit.SlidingWindow:
		return &sliding{window: w}
	case ratelimit.SlidingCounter:
		return &counter{window: w}
	case ratelimit.TokenBucket:
		return &level{window: w}
	case ratelimit.LeakyBucket:
		return &leaky{level{window: w}}
	}
	panic(fmt.Sprintf("storetest: no algorithm %d", r.Algorithm))
}

// atOnce is the part of a state whose calls need not wait for their turn.
type atOnce struct{}

func (atOnce) turn(int64, int64) int64 { return 0 }

type bucket struct{ state state }

// now returns what an algorithm takes for the time when the clock says t.
func (b *bucket) now(t int64) int64 {
	last, ok := b.state.newest()
	if !ok {
		return t
	}
	return max(t, last)
}

func (b *bucket) used(t, limit int64) int64 { return b.state.used(b.now(t), limit) }

// delay returns how long after t it is the turn of a call that comes at t.
func (b *bucket) delay(t, limit int64) time.Duration {
	n := b.now(t)
	turn := b.state.turn(n, limit)
	if turn == 0 {
		return 0
	}
	return micros(n - t + turn)
}

// look returns what holds if nothing is charged.
func (b *bucket) look(it *ratelimit.Item, t int64) ratelimit.Result {
	b.state.repair(t)
	r := b.result(it, t)
	passes := func(after int64) bool {
		return b.used(t+after, it.Limit)+it.Cost <= it.Rule.Capacity(it.Limit) && b.inTime(it, t+after)
	}
	switch {
	case it.Cost > it.Rule.MaxCost(it.Limit):
		r.RetryAfter = ratelimit.Never
	case passes(0):
		r.Allowed = true
	default:
		r.RetryAfter = first(passes)
	}
	return r
}

func (b *bucket) inTime(it *ratelimit.Item, t int64) bool {
	return it.MaxDelay == 0 || b.delay(t, it.Limit) <= it.MaxDelay
}

// take charges what look has allowed.
func (b *bucket) take(it *ratelimit.Item, t int64) ratelimit.Result {
	delay := b.delay(t, it.Limit)
	receipt := b.state.charge(b.now(t), it.Cost, it.Limit)
	r := b.result(it, t)
	r.Allowed, r.Delay, r.Receipt = true, delay, receipt
	return r
}

func (b *bucket) result(it *ratelimit.Item, t int64) ratelimit.Result {
	unused := func(after int64) bool { return b.used(t+after, it.Limit) == 0 }
	return ratelimit.Result{
		Remaining:  max(0, it.Rule.Capacity(it.Limit)-b.used(t, it.Limit)),
		ResetAfter: first(unused),
	}
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// first returns the least number of microseconds for which holds is true; it
// must be true from there on.
func first(holds func(after int64) bool) time.Duration {
	if holds(0) {
		return 0
	}
	high := int64(1)
	for !holds(high) {
		high *= 2
	}
	low := high / 2 // false at low or low is 0, true at high
	for low+1 < high {
		if mid := low + (high-low)/2; holds(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return micros(high)
}
