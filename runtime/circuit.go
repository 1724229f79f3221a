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

	// A refusal is neither failure nor success: a server that cannot be written
	// to still refuses. Then as many failures in a row do, if there are no more
	// than so many refusals to each of them.
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

	// mostEvents is how many changes may wait to be told of.
	mostEvents = 64
)

// circuit stands between a Limiter and a store that is asked over a network.
// An open one is found by an atomic: the breaker takes a lock.
type circuit struct {
	limiter *Limiter
	breaker *gobreaker.CircuitBreaker[struct{}]

	state    atomic.Uint32 // a CircuitState
	shutTill atomic.Int64  // since the Limiter was made; 0 if not open
	answered atomic.Int64  // when the last call was asked that was answered
	changed  atomic.Int64  // and the last that has changed the store
	told     atomic.Bool   // a failure since then was more than a late answer
	refusal  atomic.Pointer[openError]

	mu     sync.Mutex    // below the breaker's, nothing of others is called under it
	cause  error         // of the last failure
	turned time.Duration // when the state last changed
	events []CircuitEvent

	pending    atomic.Bool
	delivering sync.Mutex
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
	c.breaker = gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests:   probes,
		Interval:      countFor,
		BucketPeriod:  countFor / countSlices,
		Timeout:       openFor,
		ReadyToTrip:   c.trips,
		OnStateChange: c.change,
		IsExcluded:    func(err error) bool { return err == errNoVerdict },
	})
	return c
}

var errNoVerdict = errors.New("no verdict")

// trips is called under the breaker's lock.
func (c *circuit) trips(n gobreaker.Counts) bool {
	done := n.TotalSuccesses + n.TotalFailures
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
	ran, good := false, false
	_, refused := c.breaker.Execute(func() (struct{}, error) {
		ran = true
		err = c.limiter.store.Do(ctx, b)
		v := c.limiter.judge(ctx, err)
		good = v == answered
		return struct{}{}, c.judge(v, b, asked, err)
	})
	if !ran {
		err = c.refuse(refused)
	}
	if good && CircuitState(c.state.Load()) == CircuitClosed {
		c.limiter.outage.end()
	}
	c.deliver()
	return err
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

// change is called under the breaker's lock.
func (c *circuit) change(_ string, from, to gobreaker.State) {
	l, now := c.limiter, c.limiter.now()
	down, _ := l.outage.lasts(now)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := CircuitEvent{
		From: stateOf(from), To: stateOf(to), Time: time.Now(), Lasted: now - c.turned,
		Down: down, Undecided: l.outage.undecided(), Cause: c.cause,
	}
	c.turned = now
	c.state.Store(uint32(e.To))
	c.shutTill.Store(0)
	if e.To == CircuitOpen {
		c.refusal.Store(&openError{c.cause})
		c.shutTill.Store(int64(now + openFor))
	}
	if len(c.events) == mostEvents { // somebody is told very slowly
		c.events = append(c.events[:0], c.events[1:]...)
	}
	c.events = append(c.events, e)
	c.pending.Store(true)
}

func stateOf(s gobreaker.State) CircuitState {
	switch s {
	case gobreaker.StateClosed:
		return CircuitClosed
	case gobreaker.StateHalfOpen:
		return CircuitHalfOpen
	}
	return CircuitOpen
}

// deliver tells of changes, each once and in order: by one call at a time, so
// that what others do with them keeps nobody else waiting. No call does so for
// ever: what is left the next one tells.
func (c *circuit) deliver() {
	for range 4 {
		if !c.pending.Load() || !c.delivering.TryLock() {
			return
		}
		c.tell()
	}
}

func (c *circuit) tell() {
	defer c.delivering.Unlock()
	for _, e := range c.take() {
		c.limiter.circuitChanged(e)
	}
}

func (c *circuit) take() []CircuitEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	events := c.events
	c.events = nil
	c.pending.Store(false)
	return events
}
