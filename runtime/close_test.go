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
)

// stuck is a store that answers nobody until it is closed.
type stuck struct {
	closed chan struct{}
	fault  error // of Close
}

func (s stuck) Do(ctx context.Context, b *ratelimit.Batch) error {
	select {
	case <-s.closed:
		return errors.New("the store is closed")
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(b.Deadline)):
		return context.DeadlineExceeded
	}
}

func (s stuck) Ready(context.Context) error { return nil }

func (s stuck) Close() error {
	time.Sleep(time.Second)
	close(s.closed)
	return s.fault
}

// TestCloseEndsWhatWaits closes the limiter while calls wait for quota, for
// their turn and for the store.
func TestCloseEndsWhatWaits(t *testing.T) {
	t.Parallel()
	leaky := &ratelimit.Rule{Name: "leaky", Algorithm: ratelimit.LeakyBucket, Limit: 1, Window: time.Minute, Burst: 5}
	for name, c := range map[string]struct {
		store ratelimit.Store
		rule  *ratelimit.Rule
		after time.Duration
	}{
		"quota": {nil, waiting(1, time.Hour, 24*time.Hour), 0},
		"turn":  {nil, leaky, 0},
		"store": {stuck{}, waiting(1, time.Hour, 0), time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := c.store
				if store == nil {
					store = memory.New()
				} else {
					store = stuck{closed: make(chan struct{})}
				}
				l := ratelimit.New(store, quiet(), ratelimit.WithTimeout(time.Minute))
				var wg sync.WaitGroup
				var refused atomic.Int64
				for range 4 {
					wg.Go(func() {
						began := time.Now()
						d, err := l.Admit(t.Context(), c.rule.For("k"))
						took := time.Since(began)
						switch {
						case err == nil && d.Allowed && !d.Degraded && took == 0:
						case errors.Is(err, ratelimit.ErrUnavailable) && !d.Allowed && took == time.Second+c.after:
							refused.Add(1)
						default:
							t.Errorf("%+v, %v after %v", d, err, took)
						}
					})
					synctest.Wait()
				}
				time.Sleep(time.Second)
				if err := l.Close(); err != nil {
					t.Error(err)
				}
				wg.Wait()
				if n := refused.Load(); n < 3 {
					t.Errorf("%d calls were refused by Close, want all but the first", n)
				}
			})
		})
	}
}

// TestCloseWhileCallsAreMade closes a limiter whose rules fail open: nothing
// may pass for that.
func TestCloseWhileCallsAreMade(t *testing.T) {
	t.Parallel()
	for range 20 {
		l := ratelimit.New(faultless{memory.New()}, quiet(), sharing(1))
		rules := []*ratelimit.Rule{waiting(1, time.Hour, 0), local("local", ratelimit.FixedWindow, 1), waiting(1, time.Millisecond, time.Second)}
		rules[0].Name, rules[2].Name, rules[2].Refund = "plain", "short", ratelimit.OnError
		var wg sync.WaitGroup
		var refused atomic.Int64
		for i := range 64 {
			wg.Go(func() {
				for refused.Load() < 1000 {
					d, err := l.Admit(t.Context(), rules[i%3].For("k"))
					l.Settle(t.Context(), d, errDown)
					switch {
					case d.Degraded:
						t.Errorf("degraded: %+v", d)
					case errors.Is(err, ratelimit.ErrUnavailable):
						refused.Add(1)
					case err != nil && !errors.Is(err, ratelimit.ErrLimited):
						t.Error(err)
					}
				}
			})
		}
		time.Sleep(time.Millisecond)
		for range 4 {
			wg.Go(func() {
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// faultless is a remote store that works.
type faultless struct{ ratelimit.Store }

func (faultless) Remote() bool { return true }

func TestCloseReturnsWhenAllIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fault := errors.New("commands are still in flight")
		l := ratelimit.New(stuck{make(chan struct{}), fault}, quiet())
		began := time.Now()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if err := l.Close(); err != fault || time.Since(began) != time.Second {
					t.Errorf("%v after %v", err, time.Since(began))
				}
			})
		}
		wg.Wait()
	})
}

// TestCloseEndsLocalBuckets closes a limiter that decides in this process.
func TestCloseEndsLocalBuckets(t *testing.T) {
	t.Parallel()
	l, store := failing(sharing(1))
	store.Fail(errDown)
	r := local("a", ratelimit.FixedWindow, 5)
	passing(t, l, 1, r.For("k"))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if d, err := l.Acquire(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) || d.Allowed {
		t.Errorf("after Close: %+v, %v", d, err)
	}
}
