package ratelimit

import (
	"sync/atomic"
	"time"
)

// throttle lets one event a second through and counts the others.
type throttle struct {
	next   atomic.Int64 // when the next one may pass
	missed atomic.Int64
}

// pass reports whether the event may be logged that comes now, a time since
// the same start for all events, and how many were not since the last one
// that was.
func (t *throttle) pass(now time.Duration) (missed int64, ok bool) {
	next := t.next.Load()
	if int64(now) < next || !t.next.CompareAndSwap(next, int64(now+time.Second)) {
		t.missed.Add(1)
		return 0, false
	}
	return t.missed.Swap(0), true
}
