package ratelimit

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Limiter answers requests out of a [Store]. It is safe for concurrent use.
type Limiter struct {
	store   Store
	instant bool
	timeout time.Duration
	config  func(string) (int64, bool)
	rules   *registry
	denyAge time.Duration
	deny    *denyCache
	lines   lines

	failure    Failure
	escalation escalation
	outage     outage
	circuit    *circuit // nil unless the store is Remote
	local      local

	start     time.Time
	log       journal
	observers []Observer

	closed   atomic.Bool
	done     chan struct{} // is closed when Close begins
	gone     chan struct{} // is closed when Close has ended all
	closeErr error
}

// New returns a Limiter that decides with store. It sends nothing: a program
// starts while its store is down.
func New(store Store, options ...Option) *Limiter {
	l := &Limiter{store: store, timeout: DefaultTimeout, failure: FailOpen, denyAge: DefaultDenyAge, start: time.Now(), rules: new(registry)}
	l.done, l.gone = make(chan struct{}), make(chan struct{})
	l.log.start = l.start
	for _, option := range options {
		option(l)
	}
	if l.failure == failDefault {
		l.failure = FailOpen
	}
	l.deny, l.instant = newDenyCache(store, l.denyAge), instant(store)
	if remote(store) {
		l.circuit = newCircuit(l)
	}
	return l
}

// now is the time since the Limiter was made.
func (l *Limiter) now() time.Duration { return time.Since(l.start) }

// none takes the place of a nil Limiter: every call is ErrRule, since there is
// no store.
var none = New(nil)

func (l *Limiter) orNone() *Limiter {
	if l == nil {
		return none
	}
	return l
}

// Ready connects to the store and says what is wrong with it. A server may
// call it before it takes traffic, so that the first calls find warm
// connections.
//
// It is ErrRule where a rule could not be asked for at all because two packages
// of the program have rules of its name, and nobody wrote it.
func (l *Limiter) Ready(ctx context.Context) error {
	l = l.orNone()
	if l.store == nil {
		return errNoStore
	}
	return errors.Join(allContested(), l.store.Ready(ctx))
}

// Close ends what the Limiter and its store have started. Calls that wait for
// quota or for their turn are refused with [ErrUnavailable], as are later ones;
// those that the store is being asked for end with its answer or so. Nothing is
// let through because the Limiter is closed, whatever the rules say. All calls
// of Close return when the first one does, and with its error.
func (l *Limiter) Close() error {
	if l == nil {
		return nil
	}
	if !l.closed.Swap(true) {
		close(l.done)
		if l.store != nil {
			l.closeErr = l.store.Close()
		}
		l.local.close()
		close(l.gone)
	}
	<-l.gone
	return l.closeErr
}

// Admit lets a call pass (nil) or refuses it with a [*LimitError]. All
// requests are checked, then all are deducted, in one atomic step: a refused
// call takes nothing from any of them.
//
// Where the rules that refuse say so ([Rule.Wait]) Admit waits for quota, and
// it sleeps the Delay of a leaky bucket.
func (l *Limiter) Admit(ctx context.Context, requests ...Request) (d Decision, err error) {
	l = l.orNone()
	b := NewBatch()
	defer b.Release()
	began := l.clock()
	failure := l.admit(ctx, b, requests, &d)
	l.observeDecision(ctx, b, began, &d, failure)
	if failure == nil && !d.Allowed {
		failure = newLimitError(ErrLimited, nil, &d)
	}
	record(ctx, &d)
	if failure != nil {
		err = failure
	}
	return d, err
}

// Acquire is the bare decision. It never sleeps. A refusal is a decision and
// no error; an error, a [*LimitError], says that none could be made. What the
// rules say of a failing store applies: where they fail open, the decision is
// allowed and Degraded.
func (l *Limiter) Acquire(ctx context.Context, requests ...Request) (d Decision, err error) {
	err = l.operate(ctx, OpAcquire, 0, requests, &d)
	return d, err
}

// AcquireAtMost is Acquire for as much as possible up to n, which takes the
// place of the requests' costs: Granted tells how much it was. It is refused
// where not even 1 can be had.
//
// An n below 1 takes nothing and passes.
func (l *Limiter) AcquireAtMost(ctx context.Context, n int64, requests ...Request) (d Decision, err error) {
	if n < 1 {
		requests = nil
	}
	err = l.operate(ctx, OpAcquire, n, requests, &d)
	return d, err
}

// Peek is Acquire without its effects: the decision that it would make now.
func (l *Limiter) Peek(ctx context.Context, requests ...Request) (d Decision, err error) {
	err = l.operate(ctx, OpPeek, 0, requests, &d)
	return d, err
}

// Reset makes the requests' buckets as if they had never been used.
func (l *Limiter) Reset(ctx context.Context, requests ...Request) error {
	return l.operate(ctx, OpReset, 0, requests, new(Decision))
}
