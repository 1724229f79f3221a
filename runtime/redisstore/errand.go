package redisstore

import (
	"context"
	"time"
)

// errand is the context of a command. It has the values of the caller's, and
// ends when the caller leaves, so that a command that still waits for a
// connection is not sent. But it has no deadline: the client would cut the
// connection of a command in flight at that moment.
type errand struct {
	context.Context
	left <-chan struct{}
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
