package ratelimit

import (
	"sync/atomic"
	"time"
)

// throttle lets one event a second through and counts the others.
type throttle struct {
	next   atomic.Int64          // when the next one may pass
	missed atomic.Pointer[tally] // nil as long as none was
}

// pass reports whether the event may be logged that comes now, a time since
// the same start for all events, and how many were not since the last one
// that was. Those that are not are counted in the lane.
func (t *throttle) pass(now time.Duration, lane uint32) (missed int64, ok bool) {
	next := t.next.Load()
	if int64(now) < next || !t.next.CompareAndSwap(next, int64(now+time.Second)) {
		t.count().add(lane)
		return 0, false
	}
	if count := t.missed.Load(); count != nil {
		missed = count.take()
	}
	return missed, true
}

func (t *throttle) count() *tally {
	count := t.missed.Load()
	if count == nil {
		t.missed.CompareAndSwap(nil, new(tally))
		count = t.missed.Load()
	}
	return count
}
