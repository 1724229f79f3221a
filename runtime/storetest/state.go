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
	// repair makes every time that is ahead of t to t.
	repair(t int64)
	// used returns how many calls the bucket holds at n.
	used(n int64) int64
	// charge adds a call at n.
	charge(n, cost int64)
}

func newState(r *ratelimit.Rule) state {
	w := r.Window.Microseconds()
	switch r.Algorithm {
	case ratelimit.FixedWindow:
		return &fixed{window: w}
	case ratelimit.SlidingWindow:
		return &sliding{window: w}
	}
	panic(fmt.Sprintf("storetest: no algorithm %d", r.Algorithm))
}

type bucket struct {
	window int64
	state  state
}

// now returns what an algorithm takes for the time when the clock says t.
func (b *bucket) now(t int64) int64 {
	last, ok := b.state.newest()
	if !ok {
		return t
	}
	return max(t, last)
}

func (b *bucket) repair(t int64) {
	last, ok := b.state.newest()
	if ok && last > t+b.window {
		b.state.repair(t)
	}
}

func (b *bucket) used(t int64) int64 { return b.state.used(b.now(t)) }

// look returns what holds if nothing is charged.
func (b *bucket) look(it *ratelimit.Item, t int64) ratelimit.Result {
	b.repair(t)
	r := b.result(it, t)
	passes := func(after int64) bool { return b.used(t+after)+it.Cost <= it.Limit }
	switch {
	case passes(0):
		r.Allowed = true
	case it.Cost > it.Limit:
		r.RetryAfter = ratelimit.Never
	default:
		r.RetryAfter = first(passes)
	}
	return r
}

// take charges what look has allowed.
func (b *bucket) take(it *ratelimit.Item, t int64) ratelimit.Result {
	b.state.charge(b.now(t), it.Cost)
	r := b.result(it, t)
	r.Allowed = true
	return r
}

func (b *bucket) result(it *ratelimit.Item, t int64) ratelimit.Result {
	unused := func(after int64) bool { return b.used(t+after) == 0 }
	return ratelimit.Result{
		Remaining:  max(0, it.Limit-b.used(t)),
		ResetAfter: first(unused),
	}
}

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
	return time.Duration(high) * time.Microsecond
}
