package ratelimit

import (
	"sync/atomic"
	"time"
)

// throttle lets one event a second through and counts the others.
type throttle struct {
	next   atomic.Int64 // when the next may pass, in nanoseconds of process time
	missed atomic.Int64
}

var processStart = time.Now()

// pass reports whether the event may be logged, and how many were not since
// the last one that was.
func (t *throttle) pass() (missed int64, ok bool) {
	now := int64(time.Since(processStart))
	next := t.next.Load()
	if now < next || !t.next.CompareAndSwap(next, now+int64(time.Second)) {
		t.missed.Add(1)
		return 0, false
	}
	return t.missed.Swap(0), true
}
