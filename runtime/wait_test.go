package ratelimit_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// bubble runs test with a limiter whose store decides by the time of a
// synctest bubble, and counts what it is asked.
func bubble(t *testing.T, test func(*testing.T, *ratelimit.Limiter, *ratelimittest.FailingStore)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
		test(t, ratelimit.New(store, quiet()), store)
	})
}

func waiting(limit int64, window, wait time.Duration) *ratelimit.Rule {
	return &ratelimit.Rule{Name: "waiting", Algorithm: ratelimit.SlidingWindow, Limit: limit, Window: window, Wait: wait}
}

func TestWaitsForQuota(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := waiting(1, time.Second, time.Second)
		began := time.Now()
		for i := range 3 {
			if _, err := l.Admit(t.Context(), r.For("k")); err != nil {
				t.Fatal(err)
			}
			if got, want := time.Since(began), time.Duration(i)*time.Second; got != want {
				t.Errorf("call %d passed after %v, want %v", i, got, want)
			}
		}
	})
}

func TestRefusesAtOnceWhatCannotComeInTime(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		refused := func(ctx context.Context, r ratelimit.Request) {
			t.Helper()
			began := time.Now()
			_, err := l.Admit(ctx, r)
			if !errors.Is(err, ratelimit.ErrLimited) || time.Since(began) != 0 {
				t.Errorf("got %v after %v, want a refusal at once", err, time.Since(began))
			}
		}
		r := waiting(1, time.Second, time.Second-time.Microsecond)
		l.Admit(t.Context(), r.For("k"))
		refused(t.Context(), r.For("k"))
		refused(t.Context(), r.For("other").WithCost(2)) // never

		patient := waiting(1, time.Minute, time.Hour)
		patient.Name = "patient"
		l.Admit(t.Context(), patient.For("k"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute-time.Microsecond)
		defer cancel()
		refused(ctx, patient.For("k"))
	})
}

func TestFirstComeFirstServed(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := waiting(2, time.Second, 10*time.Second)
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				if _, err := l.Admit(t.Context(), r.For("k")); err != nil {
					t.Errorf("call %d: %v", i, err)
				}
				mu.Lock()
				defer mu.Unlock()
				order = append(order, i)
			})
			time.Sleep(time.Millisecond)
		}
		wg.Wait()
		if !slices.IsSorted(order) {
			t.Errorf("calls passed in the order %v", order)
		}
		// Each asks when it comes, and the first of the queue when quota comes
		// and when it has become the first.
		if n := store.Calls(); n > 3*12 {
			t.Errorf("12 calls asked %d times", n)
		}
	})
}

func TestJudgedWithTheQueueBeforeIt(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := waiting(1, time.Second, 3*time.Second+500*time.Millisecond)
		began := time.Now()
		after := make([]time.Duration, 6)
		errs := make([]error, 6)
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				_, errs[i] = l.Admit(t.Context(), r.For("k"))
				after[i] = time.Since(began).Truncate(100 * time.Millisecond)
			})
			time.Sleep(time.Millisecond)
		}
		wg.Wait()
		for i, want := range []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second} {
			if errs[i] != nil || after[i] != want {
				t.Errorf("call %d: %v after %v, want to pass after %v", i, errs[i], after[i], want)
			}
		}
		for i := 4; i < 6; i++ {
			limited, ok := errors.AsType[*ratelimit.LimitError](errs[i])
			if !ok || after[i] != 0 {
				t.Errorf("call %d: %v after %v, want a refusal at once", i, errs[i], after[i])
				continue
			}
			if retry := limited.Decision.RetryAfter; retry < 3900*time.Millisecond || retry > 4*time.Second {
				t.Errorf("call %d is to retry after %v, want almost 4s: those before it come first", i, retry)
			}
		}
	})
}

func TestCancelledWaiterLeavesTheQueue(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := waiting(1, time.Second, 10*time.Second)
		l.Admit(t.Context(), r.For("k"))
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error)
		go func() { _, err := l.Admit(ctx, r.For("k")); first <- err }()
		synctest.Wait()
		second := make(chan error)
		go func() { _, err := l.Admit(t.Context(), r.For("k")); second <- err }()
		synctest.Wait()
		time.Sleep(300 * time.Millisecond)
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) || !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("the cancelled one: %v", err)
		}
		if err := <-second; err != nil || time.Since(began) != time.Second {
			t.Errorf("the next one: %v after %v, want to pass after 1s", err, time.Since(began))
		}
	})
}

func TestShortestWaitOfTheRulesThatRefuse(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		user, all := waiting(1, time.Second, 5*time.Second), waiting(2, time.Minute, 0)
		user.Name, user.Tag, all.Name, all.Tag = "user", "t", "all", "t"
		admit := func(key string) (time.Duration, error) {
			began := time.Now()
			_, err := l.Admit(t.Context(), user.For(key), all.For(""))
			return time.Since(began), err
		}
		admit("ann")
		if took, err := admit("ann"); err != nil || took != time.Second {
			t.Errorf("only the rule that waits refuses: %v after %v", err, took)
		}
		if took, err := admit("ann"); err == nil || took != 0 {
			t.Errorf("a rule that does not wait refuses too: %v after %v", err, took)
		}
	})
}

func TestWaitersForSeveralBucketsDoNotBlockEachOther(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		a, b := waiting(1, time.Second, time.Minute), waiting(1, 700*time.Millisecond, time.Minute)
		a.Name, a.Tag, b.Name, b.Tag = "a", "t", "b", "t"
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				requests := []ratelimit.Request{a.For("k"), b.For("k")}
				if i%2 == 0 {
					slices.Reverse(requests)
				}
				if i%3 == 0 {
					requests = requests[:1]
				}
				if _, err := l.Admit(t.Context(), requests...); err != nil {
					t.Errorf("call %d: %v", i, err)
				}
			})
		}
		wg.Wait()
	})
}

func TestManyWaitersAskLittle(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		const callers = 1000
		r := waiting(10, time.Second, 5500*time.Millisecond)
		var wg sync.WaitGroup
		var mu sync.Mutex
		passed := 0
		for range callers {
			wg.Go(func() {
				if _, err := l.Admit(t.Context(), r.For("k")); err == nil {
					mu.Lock()
					defer mu.Unlock()
					passed++
				}
			})
		}
		synctest.Wait()
		arrival := store.Calls()
		wg.Wait()
		if passed != 60 {
			t.Errorf("%d passed in 5.5 seconds, want 60", passed)
		}
		if after := store.Calls() - arrival; after > 2*50 {
			t.Errorf("those in the queue asked %d times for 50 places", after)
		}
	})
}

func TestLeakySleepsItsDelay(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := &ratelimit.Rule{Name: "leaky", Algorithm: ratelimit.LeakyBucket, Limit: 10, Window: time.Second, Burst: 5}
		admit := func(ctx context.Context) (time.Duration, error) {
			began := time.Now()
			_, err := l.Admit(ctx, r.For("k"))
			return time.Since(began), err
		}
		for i := range 3 {
			if took, err := admit(t.Context()); err != nil || took != time.Duration(min(i, 1))*100*time.Millisecond {
				t.Errorf("call %d: %v after %v", i, err, took)
			}
		}
		d, err := l.Acquire(t.Context(), r.For("k"))
		if err != nil || d.Delay != 100*time.Millisecond || d.Limit != 6 {
			t.Errorf("Acquire does not sleep: %+v, %v", d, err)
		}
		short, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		if took, err := admit(short); !errors.Is(err, ratelimit.ErrLimited) || took != 0 {
			t.Errorf("a turn after the deadline: %v after %v, want a refusal at once", err, took)
		}

		ctx, hangUp := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, hangUp)
		if took, err := admit(ctx); !errors.Is(err, context.Canceled) || took != 50*time.Millisecond {
			t.Errorf("a sleeper that hangs up: %v after %v", err, took)
		}
		if took, err := admit(t.Context()); err != nil || took != 150*time.Millisecond {
			t.Errorf("the one after a sleeper that hung up: %v after %v, want the turn that was given back, after 150ms", err, took)
		}
	})
}

func TestLeakyWaitBoundsTheDelay(t *testing.T) {
	bubble(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := &ratelimit.Rule{Name: "leaky", Algorithm: ratelimit.LeakyBucket, Limit: 10, Window: time.Second, Burst: 50, Wait: 200 * time.Millisecond}
		for i := range 3 {
			if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || !d.Allowed || d.Delay != time.Duration(i)*100*time.Millisecond {
				t.Errorf("call %d: %+v, %v", i, d, err)
			}
		}
		if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || d.Allowed || d.RetryAfter != 100*time.Millisecond {
			t.Errorf("a turn 300ms off: %+v, %v; want a refusal for 100ms", d, err)
		}
	})
}
