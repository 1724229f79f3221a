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
	rules   registry
	log     journal
	closed  atomic.Bool
}

// New returns a Limiter that decides with store. It sends nothing: a program
// starts while its store is down.
func New(store Store, options ...Option) *Limiter {
	l := &Limiter{store: store, timeout: DefaultTimeout, failure: FailOpen}
	for _, option := range options {
		option(l)
	}
	if l.failure == failDefault {
		l.failure = FailOpen
	}
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
func (l *Limiter) Admit(ctx context.Context, requests ...Request) (Decision, error) {
	d, err := l.decide(ctx, requests)
	if err != nil {
		return d, err
	}
	if !d.Allowed {
		return d, newLimitError(ErrLimited, nil, d)
	}
	return d, nil
}

// Acquire is the bare decision. It never sleeps. A refusal is a decision and
// no error; an error, a [*LimitError], says that none could be made. What the
// rules say of a failing store applies: where they fail open, the decision is
// allowed and Degraded.
func (l *Limiter) Acquire(ctx context.Context, requests ...Request) (Decision, error) {
	d, err := l.decide(ctx, requests)
	if err != nil {
		return d, err
	}
	return d, nil
}

// decide is answer, with a record of what did not pass.
func (l *Limiter) decide(ctx context.Context, requests []Request) (Decision, *LimitError) {
	d, err := l.answer(ctx, requests)
	switch {
	case err != nil:
		l.log.failed(ctx, err)
	case !d.Allowed:
		l.log.refused(ctx, l.rules.get(d.Rule.Name), d)
	}
	return d, err
}

func (l *Limiter) answer(ctx context.Context, requests []Request) (Decision, *LimitError) {
	b := NewBatch()
	defer b.Release()
	d, err := l.prepare(ctx, b, requests)
	switch {
	case err != nil:
		return err.Decision, err
	case ctx.Err() != nil:
		return ended(ctx, d)
	case l.closed.Load():
		return failed(ErrUnavailable, errClosed, d)
	case len(b.Items) == 0 || !d.Allowed:
		return d, nil
	}
	b.Deadline = time.Now().Add(l.timeout)
	if err := l.store.Do(ctx, b); err != nil {
		return l.unanswered(ctx, b, err)
	}
	return b.decision(), nil
}

func failed(kind, cause error, d Decision) (Decision, *LimitError) {
	d.Allowed = false
	return d, newLimitError(kind, cause, d)
}

// ended refuses a call whose context has ended, as the failure of no store.
func ended(ctx context.Context, d Decision) (Decision, *LimitError) {
	return failed(ErrLimited, ctx.Err(), d)
}
