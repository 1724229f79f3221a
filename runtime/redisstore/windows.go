package redisstore

import (
	"sync"
	"sync/atomic"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// windows finds the windows of calendars, of which it keeps the last ones: all
// calls of a time need the same.
type windows struct {
	known sync.Map // of a calendarID, an *atomic.Pointer[begins]
}

type calendarID struct {
	calendar ratelimit.Calendar
	zone     string
}

// begins is when five windows in a row begin. The second is the one that the
// clock is in.
type begins [5]int64

func (w *windows) around(r *ratelimit.Rule, t int64) *begins {
	id := calendarID{r.Calendar, r.Zone}
	last, ok := w.known.Load(id)
	if !ok {
		last, _ = w.known.LoadOrStore(id, new(atomic.Pointer[begins]))
	}
	latest := last.(*atomic.Pointer[begins])
	if b := latest.Load(); b != nil && b[1] <= t && t < b[2] {
		return b
	}
	b := find(r, t)
	latest.Store(b)
	return b
}

func find(r *ratelimit.Rule, t int64) *begins {
	var b begins
	b[1], b[2] = r.WindowAt(t)
	b[0], _ = r.WindowAt(b[1] - 1)
	_, b[3] = r.WindowAt(b[2])
	_, b[4] = r.WindowAt(b[3])
	return &b
}
