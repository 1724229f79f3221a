package faulttest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	callers = 64
	pause   = 16 * time.Millisecond // of each between two calls
)

// outcome is what became of a call.
type outcome uint8

const (
	passed outcome = iota // decided by the store
	refused
	passedDegraded // without the store
	refusedDegraded
	unavailable
	other // an error that should not be
)

func (o outcome) String() string {
	return []string{"passed", "refused", "passed degraded", "refused degraded", "unavailable", "failed otherwise"}[o]
}

// decided reports whether the store decided.
func (o outcome) decided() bool { return o <= refused }

// record is one call.
type record struct {
	hot        bool
	begin, end time.Duration // since the crowd began
	outcome    outcome
	err        error
}

// crowd is many callers that ask all the time.
type crowd struct {
	limiter  *ratelimit.Limiter
	hot      []ratelimit.Request
	wide     []ratelimit.Request
	start    time.Time
	quit     atomic.Bool
	group    sync.WaitGroup
	made     atomic.Int64
	mu       sync.Mutex
	records  []record
	goodFrom atomic.Int64 // since when all wide calls have been decided
	good     atomic.Int64 // how many these are
}

func (c *crowd) begin() {
	c.start = time.Now()
	for i := range callers {
		c.group.Go(func() { c.call(i%2 == 0) })
	}
}

func (c *crowd) call(hot bool) {
	var own []record
	for !c.quit.Load() {
		r := c.ask(hot)
		own = append(own, r)
		c.heed(r)
		c.made.Add(1)
		hot = !hot
		time.Sleep(pause)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records = append(c.records, own...)
}

func (c *crowd) heed(r record) {
	switch {
	case r.hot:
	case r.outcome.decided():
		c.good.Add(1)
	default:
		c.goodFrom.Store(int64(r.end))
		c.good.Store(0)
	}
}

func (c *crowd) ask(hot bool) record {
	requests := c.wide
	if hot {
		requests = c.hot
	}
	r := record{hot: hot, begin: time.Since(c.start)}
	d, err := c.limiter.Acquire(context.Background(), requests...)
	r.end, r.err = time.Since(c.start), err
	switch {
	case errors.Is(err, ratelimit.ErrUnavailable):
		r.outcome = unavailable
	case err != nil:
		r.outcome = other
	case d.Degraded && d.Allowed:
		r.outcome = passedDegraded
	case d.Degraded:
		r.outcome = refusedDegraded
	case !d.Allowed:
		r.outcome = refused
	}
	return r
}

func (c *crowd) now() time.Duration { return time.Since(c.start) }

// settled waits until all calls have been decided for so long, and tells from
// when on.
func (c *crowd) settled(quiet, most time.Duration) (from time.Duration, ok bool) {
	for end := c.now() + most; c.now() < end; time.Sleep(5 * time.Millisecond) {
		if from = time.Duration(c.goodFrom.Load()); c.now()-from > quiet && c.good.Load() > callers {
			return from, true
		}
	}
	return from, false
}

func (c *crowd) end() []record {
	c.quit.Store(true)
	c.group.Wait()
	return c.records
}
