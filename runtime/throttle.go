package ratelimit

import (
	"sync/atomic"
	"time"
)

// throttle lets one event a second through and counts the others.
type throttle struct {
	last   atomic.Int64 // when the last one passed, in nanoseconds since 1970
	missed atomic.Int64
}

// pass reports whether the event may be logged, and how many were not since
// the last one that was.
func (t *throttle) pass() (missed int64, ok bool) {
	now, last := time.Now().UnixNano(), t.last.Load()
	since := now - last
	if since >= 0 && since < int64(time.Second) || !t.last.CompareAndSwap(last, now) {
		t.missed.Add(1)
		return 0, false
	}
	return t.missed.Swap(0), true
}
