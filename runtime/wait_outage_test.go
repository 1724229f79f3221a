package ratelimit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// queue is a thousand calls that wait for one bucket, each for a day at most.
type queue struct {
	calls    sync.WaitGroup
	passed   atomic.Int64
	degraded atomic.Int64
	refused  atomic.Int64 // with ErrUnavailable
	limited  atomic.Int64
	last     atomic.Int64 // when the last one was answered
}

const queued = 1000

func (q *queue) join(t *testing.T, l *ratelimit.Limiter, r *ratelimit.Rule) {
	t.Helper()
	for range queued {
		q.calls.Go(func() {
			d, err := l.Admit(context.Background(), r.For("k"))
			switch {
			case errors.Is(err, ratelimit.ErrUnavailable):
				q.refused.Add(1)
			case err != nil:
				q.limited.Add(1)
			case d.Degraded:
				q.degraded.Add(1)
			default:
				q.passed.Add(1)
			}
			q.last.Store(time.Now().UnixNano())
		})
	}
	synctest.Wait()
}

// TestQueueBehindAStoreThatFails has a thousand calls wait when the store fails:
// they must not find it out one after the other.
func TestQueueBehindAStoreThatFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy ratelimit.Failure
		remote bool
		within time.Duration // from the first call that fails
	}{
		"open":              {ratelimit.FailOpen, true, 5 * ratelimit.DefaultTimeout},
		"closed":            {ratelimit.FailClosed, true, 5 * ratelimit.DefaultTimeout},
		"local":             {ratelimit.FailLocal, true, 5 * ratelimit.DefaultTimeout},
		"without a circuit": {ratelimit.FailOpen, false, ratelimit.DefaultTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failing := ratelimittest.NewFailingStore(memory.New())
				store := ratelimit.Store(failing)
				if c.remote {
					store = faulty{FailingStore: failing}
				}
				l := ratelimit.New(store, quiet(), sharing(0.5), ratelimit.WithFailure(c.policy))
				defer l.Close()
				r := waiting(4, time.Minute, 24*time.Hour)
				passing(t, l, 4, r.For("k"))
				var q queue
				q.join(t, l, r)
				failing.Hang()
				wake := time.Now().Add(time.Minute) // when the first one asks again
				q.calls.Wait()
				if late := time.Unix(0, q.last.Load()).Sub(wake); late < 0 || late > c.within {
					t.Errorf("the last of a thousand was answered %v after the first one asked, want %v at most", late, c.within)
				}
				got := [4]int64{q.passed.Load(), q.degraded.Load(), q.refused.Load(), q.limited.Load()}
				want := map[ratelimit.Failure][4]int64{
					ratelimit.FailOpen: {0, queued, 0, 0}, ratelimit.FailClosed: {0, 0, queued, 0}, ratelimit.FailLocal: {0, 2, 0, queued - 2},
				}[c.policy]
				if got != want {
					t.Errorf("passed, degraded, refused, limited: %v, want %v", got, want)
				}
			})
		})
	}
}

// TestQueueWhenTheCircuitOpens has other calls open the circuit: those that
// wait are let go, although it is not their turn to ask yet.
func TestQueueWhenTheCircuitOpens(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, _ *records) {
		r := waiting(4, time.Minute, 24*time.Hour)
		passing(t, l, 4, r.For("k"))
		var q queue
		q.join(t, l, r)
		open(t, l, store)
		opened := time.Now()
		q.calls.Wait()
		if late := time.Unix(0, q.last.Load()).Sub(opened); late != 0 || q.degraded.Load() != queued {
			t.Errorf("%d of a thousand had their policy, the last one %v after the circuit opened", q.degraded.Load(), late)
		}
		began := time.Now()
		if d, err := l.Admit(t.Context(), r.For("k")); err != nil || !d.Degraded || time.Since(began) != 0 {
			t.Errorf("a call that comes then: %+v, %v after %v", d, err, time.Since(began))
		}
	})
}

// TestWaitingForWhatCanNeverBe must not ask again and again.
func TestWaitingForWhatCanNeverBe(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, _ *records) {
		r := waiting(4, time.Minute, 24*time.Hour)
		store.Fail(errDown)
		began := time.Now()
		_, err := l.Admit(t.Context(), r.For("k").WithCost(5))
		if !errors.Is(err, ratelimit.ErrLimited) || time.Since(began) != 0 || store.Calls() != 1 {
			t.Errorf("%v after %v and %d calls of the store", err, time.Since(began), store.Calls())
		}
	})
}

// TestQueueSurvivesAKeyThatFails: a key that somebody has written to is no
// reason to let those go that wait for others.
func TestQueueSurvivesAKeyThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(memory.New())
		l := ratelimit.New(faulty{store, func(error) ratelimit.Fault { return ratelimit.BucketFault }}, quiet())
		defer l.Close()
		r := waiting(1, time.Minute, time.Hour)
		passing(t, l, 1, r.For("k"))
		var passed time.Duration
		began := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			if d, err := l.Admit(t.Context(), r.For("k")); err != nil || d.Degraded {
				t.Errorf("the one that waits: %+v, %v", d, err)
			}
			passed = time.Since(began)
		})
		synctest.Wait()
		store.Fail(errors.New("WRONGTYPE"))
		for range 20 {
			l.Acquire(t.Context(), r.For("other"))
		}
		store.Fail(nil)
		wg.Wait()
		if passed != time.Minute {
			t.Errorf("it passed after %v", passed)
		}
	})
}
