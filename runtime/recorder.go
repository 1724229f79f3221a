package ratelimit

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Recorder collects decisions. It is safe for concurrent use.
type Recorder struct {
	mu        sync.Mutex
	decisions []Decision
}

// WithRecorder returns a context whose recorder collects the decisions that
// Admit, Acquire and AcquireAtMost make under it, passes included: for
// response headers and for tests.
func WithRecorder(ctx context.Context) (context.Context, *Recorder) {
	r := &Recorder{}
	recording.Store(true)
	return context.WithValue(ctx, recorderKey{}, r), r
}

// Decisions returns what was decided so far, in order.
func (r *Recorder) Decisions() []Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.decisions)
}

type recorderKey struct{}

// recording says that there may be recorders: to find that a context has none
// takes longer the deeper it is.
var recording atomic.Bool

func record(ctx context.Context, d *Decision) {
	if !recording.Load() {
		return
	}
	if r, ok := ctx.Value(recorderKey{}).(*Recorder); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.decisions = append(r.decisions, *d)
	}
}
