package ratelimit

import (
	"context"
	"sync/atomic"
	"time"
)

// Limiter answers requests out of a [Store]. It is safe for concurrent use.
type Limiter struct {
	store   Store
	timeout time.Duration
	failure Failure
	config  func(string) (int64, bool)
	rules   registry
	denyAge time.Duration
	deny    *denyCache
	lines   lines
	log     journal
	closed  atomic.Bool
}

// New returns a Limiter that decides with store. It sends nothing: a program
// starts while its store is down.
func New(store Store, options ...Option) *Limiter {
	l := &Limiter{store: store, timeout: DefaultTimeout, failure: FailOpen, denyAge: DefaultDenyAge}
	l.log.start = time.Now()
	for _, option := range options {
		option(l)
	}
	if l.failure == failDefault {
		l.failure = FailOpen
	}
	l.deny = newDenyCache(store, l.denyAge)
	return l
}

// Ready connects to the store and says what is wrong with it. A server may
// call it before it takes traffic, so that the first calls find warm
// connections.
func (l *Limiter) Ready(ctx context.Context) error {
	if l.store == nil {
		return errNoStore
	}
	return l.store.Ready(ctx)
}

// Close ends what the Limiter and its store have started. Later calls are
// refused with [ErrUnavailable].
func (l *Limiter) Close() error {
	if l.closed.Swap(true) || l.store == nil {
		return nil
	}
	return l.store.Close()
}

// Admit lets a call pass (nil) or refuses it with a [*LimitError]. All
// requests are checked, then all are deducted, in one atomic step: a refused
// call takes nothing from any of them.
//
// Where the rules that refuse say so ([Rule.Wait]) Admit waits for quota, and
// it sleeps the Delay of a leaky bucket.
func (l *Limiter) Admit(ctx context.Context, requests ...Request) (Decision, error) {
	b := NewBatch()
	defer b.Release()
	d, err := l.admit(ctx, b, requests)
	if err == nil && !d.Allowed {
		err = newLimitError(ErrLimited, nil, d)
	}
	record(ctx, d)
	if err != nil {
		return d, err
	}
	return d, nil
}

// Acquire is the bare decision. It never sleeps. A refusal is a decision and
// no error; an error, a [*LimitError], says that none could be made. What the
// rules say of a failing store applies: where they fail open, the decision is
// allowed and Degraded.
func (l *Limiter) Acquire(ctx context.Context, requests ...Request) (Decision, error) {
	return l.operate(ctx, OpAcquire, 0, requests)
}

// AcquireAtMost is Acquire for as much as possible up to n, which takes the
// place of the requests' costs: Granted tells how much it was. It is refused
// where not even 1 can be had.
//
// An n below 1 takes nothing and passes.
func (l *Limiter) AcquireAtMost(ctx context.Context, n int64, requests ...Request) (Decision, error) {
	if n < 1 {
		requests = nil
	}
	return l.operate(ctx, OpAcquire, n, requests)
}

// Peek is Acquire without its effects: the decision that it would make now.
func (l *Limiter) Peek(ctx context.Context, requests ...Request) (Decision, error) {
	return l.operate(ctx, OpPeek, 0, requests)
}

// Reset makes the requests' buckets as if they had never been used.
func (l *Limiter) Reset(ctx context.Context, requests ...Request) error {
	_, err := l.operate(ctx, OpReset, 0, requests)
	return err
}
