package ratelimit

import (
	"sync"
	"sync/atomic"
	"time"
)

// outage is the time in which the store answers nobody: it begins with the
// first call that fails and ends with the next one that does not. Times are
// since the Limiter was made.
type outage struct {
	since     atomic.Int64 // one more than when it began; 0 while the store answers
	escalated atomic.Bool
	ways      [ways]tally

	mu sync.Mutex
}

// way is what becomes of a call that the store has not decided.
type way uint8

const (
	passedOpen way = iota
	refusedClosed
	passedLocal
	refusedLocal

	ways
)

// begin is called when a call has failed that was asked at the time; fresh if
// it is the first one, before any other call goes on.
func (o *outage) begin(asked time.Duration, fresh func()) {
	if o.since.Load() != 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.Load() != 0 {
		return
	}
	o.escalated.Store(false)
	for i := range o.ways {
		o.ways[i].take()
	}
	fresh()
	o.since.Store(int64(asked) + 1)
}

func (o *outage) end() {
	if o.since.Load() != 0 {
		o.since.Store(0)
	}
}

// lasts is for how long the store has answered nobody, if there is an outage.
func (o *outage) lasts(now time.Duration) (d time.Duration, ok bool) {
	since := o.since.Load()
	if since == 0 {
		return 0, false
	}
	return max(now-time.Duration(since-1), 0), true
}

// Undecided counts the calls that the store has not decided since it stopped
// to answer.
type Undecided struct {
	Passed       int64 // let through by FailOpen
	Refused      int64 // with ErrUnavailable, by FailClosed
	LocalPassed  int64 // let through by FailLocal
	LocalRefused int64 // by FailLocal
}

func (o *outage) undecided() Undecided {
	return Undecided{
		Passed:       o.ways[passedOpen].sum(),
		Refused:      o.ways[refusedClosed].sum(),
		LocalPassed:  o.ways[passedLocal].sum(),
		LocalRefused: o.ways[refusedLocal].sum(),
	}
}
