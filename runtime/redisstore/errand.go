package redisstore

import (
	"context"
	"sync/atomic"
	"time"
)

// errand is the context of the commands of a flight. It ends when the callers
// of all have left, so that commands that still wait for a connection are not
// sent. But it has no deadline: the client would cut the connection of a
// command in flight at that moment. A caller that is alone lends its values.
type errand struct {
	context.Context
	calls atomic.Int32 // whose caller is there, and one until it begins
	left  chan struct{}
}

// leave is called once for each caller that leaves, and when the errand begins.
func (e *errand) leave() {
	if e.calls.Add(-1) == 0 {
		close(e.left)
	}
}

func (e *errand) Deadline() (time.Time, bool) { return time.Time{}, false }

func (e *errand) Done() <-chan struct{} { return e.left }

func (e *errand) Err() error {
	select {
	case <-e.left:
		return context.Canceled
	default:
		return nil
	}
}
