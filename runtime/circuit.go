package ratelimit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// CircuitState is whether a [Remote] store is asked.
type CircuitState uint8

const (
	CircuitClosed   CircuitState = iota // it is
	CircuitHalfOpen                     // by a few calls, which find out whether it answers again
	CircuitOpen                         // it is not
)

// String returns "closed", "half-open" or "open".
func (s CircuitState) String() string {
	switch s {
	case CircuitClosed:
		return "closed"
	case CircuitHalfOpen:
		return "half-open"
	case CircuitOpen:
		return "open"
	}
	return "unknown state"
}

const (
	// A circuit opens after this many failures in a row, if no call has been
	// answered that was asked within the last timeout: where some nodes of
	// several are gone, others answer all the time. If all that is known is that
	// answers are late, it takes as long as silence at least: a machine that
	// stops for a moment is no outage.
	failuresInRow = 5
	silence       = 200 * time.Millisecond

	// A refusal breaks no row: a server that cannot be written to still refuses.
	// Then as many failures do, if there are no more than so many refusals to
	// each of them: a flood of refusals must not open the circuit to itself.
	refusalsToOne = 3

	// It also opens when failuresInFour of every four calls fail, of as many
	// calls as leastCalls within countFor, which is counted in slices.
	failuresInFour = 3
	leastCalls     = 20
	countFor       = 10 * time.Second
	countSlices    = 10

	// It is half-open after openFor, and closes after as many good answers.
	openFor = 500 * time.Millisecond
	probes  = 3
)

// circuit stands between a Limiter and a store that is asked over a network.
// An open one is found by an atomic, and so is a closed one: the breaker takes a
// lock.
type circuit struct {
	limiter *Limiter
	breaker *gobreaker.CircuitBreaker[struct{}]

	spell    atomic.Pointer[spell] // nil unless closed
	state    atomic.Uint32         // a CircuitState
	shutTill atomic.Int64          // since the Limiter was made; 0 if not open
	answered atomic.Int64          // when the last call was asked that was answered
	changed  atomic.Int64          // and the last that has changed the store
	told     atomic.Bool           // a failure since then was more than a late answer
	refusal  atomic.Pointer[openError]

	mu    sync.Mutex // below the breaker's, nothing of others is called under it
	cause error      // of the last failure
	news
}

// openError says that the store was not asked.
type openError struct{ cause error }

func (e *openError) Error() string { return "not asked, since it failed: " + e.cause.Error() }

func (e *openError) Unwrap() error { return e.cause }

func unasked(err error) bool {
	_, is := err.(*openError)
	return is
}

func newCircuit(l *Limiter) *circuit {
	c := &circuit{limiter: l}
	c.spell.Store(&spell{})
	c.breaker = gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests:   probes,
		Interval:      countFor,
		BucketPeriod:  countFor / countSlices,
		Timeout:       openFor,
		ReadyToTrip:   c.trips,
		OnStateChange: c.change,
		IsSuccessful:  c.heals,
		IsExcluded:    func(err error) bool { return err == errNoVerdict },
	})
	return c
}

var (
	errNoVerdict = errors.New("no verdict")
	errPanic     = errors.New("the store has panicked")
)

// heals reports whether err is a good answer. It is called under the breaker's
// lock.
func (c *circuit) heals(err error) bool {
	if s := c.spell.Load(); err == nil && s != nil {
		s.row.Store(false)
	}
	return err == nil
}

// trips is called under the breaker's lock when a call has failed. The row comes
// first: a good answer that does not see it has been counted.
func (c *circuit) trips(n gobreaker.Counts) bool {
	s := c.spell.Load()
	s.row.Store(true)
	n.TotalSuccesses, n.TotalExclusions = s.counts(c.limiter.now())
	done := n.TotalSuccesses + n.TotalFailures + n.TotalExclusions
	return n.ConsecutiveFailures >= failuresInRow && c.silent(n) ||
		done >= leastCalls && n.TotalFailures >= done/4*failuresInFour
}

// silent reports whether no call of late speaks for the store.
func (c *circuit) silent(n gobreaker.Counts) bool {
	now, told, most := c.limiter.now(), c.told.Load(), c.limiter.timeout
	if !told {
		most = max(most, silence)
	}
	return now-time.Duration(c.answered.Load()) >= most ||
		told && now-time.Duration(c.changed.Load()) >= most && n.TotalExclusions <= refusalsToOne*n.TotalFailures
}

// do has the store carry out b, which was asked at the time, unless the
// circuit is open.
func (c *circuit) do(ctx context.Context, b *Batch, asked time.Duration) (err error) {
	if till := c.shutTill.Load(); int64(asked) < till {
		return c.refusal.Load()
	}
	var v verdict
	if s := c.spell.Load(); s != nil {
		v, err = c.past(ctx, s, b, asked)
	} else {
		v, err = c.through(ctx, b, asked)
	}
	if v == answered && CircuitState(c.state.Load()) == CircuitClosed {
		c.limiter.outage.end()
	}
	c.deliver()
	return err
}

// through asks the store if the breaker lets it.
func (c *circuit) through(ctx context.Context, b *Batch, asked time.Duration) (v verdict, err error) {
	ran := false
	_, refused := c.breaker.Execute(func() (_ struct{}, told error) {
		ran = true
		v, told, err = c.ask(ctx, b, asked)
		return struct{}{}, told
	})
	if !ran {
		err = c.refuse(refused)
	}
	return v, err
}

// past asks the store and counts the answer.
func (c *circuit) past(ctx context.Context, s *spell, b *Batch, asked time.Duration) (v verdict, err error) {
	told := errPanic
	defer func() { c.settle(s, asked, told) }()
	v, told, err = c.ask(ctx, b, asked)
	return v, err
}

func (c *circuit) ask(ctx context.Context, b *Batch, asked time.Duration) (v verdict, told, err error) {
	err = c.limiter.store.Do(ctx, b)
	v = c.limiter.judge(ctx, err)
	return v, c.judge(v, b, asked, err), err
}

// settle counts an answer in the spell that the call began in, and tells the
// breaker if it has to know.
func (c *circuit) settle(s *spell, asked time.Duration, told error) {
	if told == nil || told == errNoVerdict {
		s.count(asked, told == nil)
	}
	if told == nil && !s.row.Load() || told == errNoVerdict {
		return
	}
	c.breaker.Execute(func() (struct{}, error) {
		if c.spell.Load() != s {
			told = errNoVerdict
		}
		return struct{}{}, told
	})
}

// judge is what the breaker is to know of an answer.
func (c *circuit) judge(v verdict, b *Batch, asked time.Duration, err error) error {
	switch v {
	case noVerdict:
		return errNoVerdict
	case answered:
		return c.praise(asked, err == nil && b.changes())
	}
	c.limiter.fail(asked)
	if c.limiter.fault(err) != LateFault {
		c.told.Store(true)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cause = err
	return err
}

// praise is what the breaker is to know of a good answer. Any of them closes a
// circuit.
func (c *circuit) praise(asked time.Duration, changes bool) error {
	c.answered.Store(int64(asked))
	if changes {
		c.changed.Store(int64(asked))
		c.told.Store(false)
	}
	if changes || CircuitState(c.state.Load()) != CircuitClosed {
		return nil
	}
	return errNoVerdict
}

// changes reports whether b, which was carried out, has changed the store.
func (b *Batch) changes() bool { return b.Op == OpAcquire && b.Allowed || b.Op > OpPeek }

// refuse is the error of a call that the breaker has not let through.
func (c *circuit) refuse(by error) error {
	if e := c.refusal.Load(); e != nil {
		return e
	}
	return &openError{by}
}
