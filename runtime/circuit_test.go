package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// faulty is a remote store that says of each error what the test wants.
type faulty struct {
	*ratelimittest.FailingStore
	fault func(error) ratelimit.Fault
}

func (faulty) Remote() bool { return true }

func (s faulty) Classify(err error) ratelimit.Fault {
	if s.fault == nil {
		return ratelimit.StoreFault
	}
	return s.fault(err)
}

// changes collects what an observer is told of the circuit.
type changes struct {
	ratelimit.NoObserver
	mu     sync.Mutex
	events []ratelimit.CircuitEvent
}

func (c *changes) ObserveCircuit(e ratelimit.CircuitEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, e)
}

func (c *changes) drain() (states []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.events {
		states = append(states, e.To.String())
	}
	c.events = nil
	return states
}

// wired runs test in a bubble with a limiter whose store has a circuit.
func wired(t *testing.T, test func(*testing.T, *ratelimit.Limiter, *ratelimittest.FailingStore, *changes, *records), options ...ratelimit.Option) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(memory.New())
		seen, log := &changes{}, &records{}
		options = append(options, ratelimit.WithLogger(slog.New(log)), ratelimit.WithObserver(seen), ratelimit.WithDenyCache(0))
		l := ratelimit.New(faulty{FailingStore: store}, options...)
		defer l.Close()
		test(t, l, store, seen, log)
	})
}

// open makes the circuit open.
func open(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
	t.Helper()
	r := rule("opener")
	store.Fail(errDown)
	time.Sleep(ratelimit.DefaultTimeout)
	for range 5 {
		l.Acquire(t.Context(), r.For("k"))
	}
	before := store.Calls()
	l.Acquire(t.Context(), r.For("k"))
	if store.Calls() != before {
		t.Fatal("the circuit is not open after five failures")
	}
}

func TestCircuit(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, seen *changes, log *records) {
		r := rule("a")
		r.Limit = 1000
		call := func() (time.Duration, bool) {
			began := time.Now()
			d, err := l.Acquire(t.Context(), r.For("k"))
			if err != nil {
				t.Fatal(err)
			}
			return time.Since(began), d.Degraded
		}
		call()
		store.Hang()
		for i := range 5 {
			if took, degraded := call(); took != ratelimit.DefaultTimeout || !degraded {
				t.Errorf("failure %d: degraded %v after %v", i, degraded, took)
			}
		}
		asked := store.Calls()
		for range 100 {
			if took, degraded := call(); took != 0 || !degraded {
				t.Errorf("with an open circuit: degraded %v after %v", degraded, took)
			}
		}
		if n := store.Calls() - asked; n != 0 {
			t.Errorf("with an open circuit the store was asked %d times", n)
		}
		for range 10 { // each time one call finds out
			time.Sleep(500*time.Millisecond + time.Microsecond)
			if took, _ := call(); took != ratelimit.DefaultTimeout {
				t.Errorf("a probe took %v", took)
			}
			if took, _ := call(); took != 0 {
				t.Errorf("after a probe that failed a call took %v", took)
			}
		}
		store.Fail(nil)
		time.Sleep(500*time.Millisecond + time.Microsecond)
		for range 20 {
			if _, degraded := call(); degraded {
				t.Error("a call was degraded after the store's return")
			}
		}
		got := seen.drain()
		want := []string{"open"}
		for range 10 {
			want = append(want, "half-open", "open")
		}
		if want = append(want, "half-open", "closed"); !slices.Equal(got, want) {
			t.Errorf("the observer was told of %v, want %v", got, want)
		}
		lines := log.drain()
		wantLines := []string{
			"ERROR rate limit store failed, calls pass unlimited rule=a error=context deadline exceeded",
			"ERROR rate limit circuit open, the store is not asked down=250ms passed=4 refused=0 passed_local=0 refused_local=0 error=context deadline exceeded",
			"INFO rate limit circuit half-open, a few calls ask the store down=750.001ms passed=105 refused=0 passed_local=0 refused_local=0 error=context deadline exceeded",
			"WARN rate limit circuit closed, the store answers again down=6.250011s passed=125 refused=0 passed_local=0 refused_local=0 error=context deadline exceeded",
		}
		if len(lines) != len(wantLines) {
			t.Errorf("%d lines are logged, want %d", len(lines), len(wantLines))
		}
		for i, want := range wantLines {
			if i >= len(lines) || lines[i] != want {
				t.Errorf("line %d of the log is\n%q, want\n%q", i, lines, want)
				break
			}
		}
	})
}

func TestCircuitRemindsEachMinute(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, seen *changes, log *records) {
		r := rule("a")
		store.Fail(errDown)
		for range 10 * 60 * 10 {
			l.Acquire(t.Context(), r.For("k"))
			time.Sleep(100 * time.Millisecond)
		}
		count := map[string]int{}
		for _, line := range log.drain() {
			text, _, _ := strings.Cut(line, "down=")
			count[strings.TrimSpace(text)]++
		}
		for text, want := range map[string]int{
			"ERROR rate limit circuit open, the store is not asked":          1,
			"INFO rate limit circuit half-open, a few calls ask the store":   1,
			"ERROR rate limit circuit still open, the store does not answer": 9,
			"WARN rate limit circuit closed, the store answers again":        0,
		} {
			if count[text] != want {
				t.Errorf("%q was logged %d times in ten minutes, want %d", text, count[text], want)
			}
		}
	})
}

// TestOpenCircuitIsLoggedAlone has rules of every policy called during an outage: the
// calls that find out whether the store answers again are not logged either.
func TestOpenCircuitIsLoggedAlone(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, log *records) {
		var rules []ratelimit.Rule
		for i, fail := range []ratelimit.Failure{ratelimit.FailOpen, ratelimit.FailClosed, ratelimit.FailLocal} {
			rules = append(rules, rule(string(rune('a'+i))))
			rules[i].Fail, rules[i].Limit = fail, 1000
		}
		open(t, l, store)
		log.drain()
		before := store.Calls()
		for range 100 {
			for i := range rules {
				time.Sleep(510 * time.Millisecond)
				l.Acquire(t.Context(), rules[i].For("k"))
			}
		}
		if n := store.Calls() - before; n < 100 {
			t.Errorf("the store was asked %d times", n)
		}
		for _, line := range log.drain() {
			if !strings.Contains(line, "rate limit circuit") {
				t.Errorf("logged %q", line)
			}
		}
	}, sharing(1))
}

func TestWhatOpensTheCircuit(t *testing.T) {
	for name, c := range map[string]struct {
		fault ratelimit.Fault
		err   error
		opens bool
	}{
		"a failing store":              {ratelimit.StoreFault, errDown, true},
		"a wrong password":             {ratelimit.SetupFault, errDown, true},
		"a key that is something else": {ratelimit.BucketFault, errDown, false},
		"rules that are wrong":         {ratelimit.StoreFault, fmt.Errorf("%w: no tag", ratelimit.ErrRule), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := ratelimittest.NewFailingStore(memory.New())
				l := ratelimit.New(faulty{store, func(error) ratelimit.Fault { return c.fault }}, quiet())
				defer l.Close()
				r := rule("a")
				store.Fail(c.err)
				for range 100 {
					l.Acquire(t.Context(), r.For("k"))
					time.Sleep(time.Millisecond)
				}
				if opened := store.Calls() < 100; opened != c.opens {
					t.Errorf("of 100 calls %d asked the store", store.Calls())
				}
			})
		})
	}
}

func TestCallersThatHangUpOpenNoCircuit(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, seen *changes, _ *records) {
		r := rule("a")
		store.Hang()
		for range 200 {
			ctx, cancel := context.WithTimeout(t.Context(), ratelimit.DefaultTimeout/2)
			if _, err := l.Acquire(ctx, r.For("k")); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ratelimit.ErrUnavailable) {
				t.Fatal(err)
			}
			cancel()
		}
		if got := seen.drain(); got != nil {
			t.Errorf("the circuit was %v", got)
		}
	})
}

// TestSomeNodesGone has one call of three fail: those whose node is gone.
func TestSomeNodesGone(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, seen *changes, _ *records) {
		r := rule("a")
		r.Limit = 100_000
		var wg sync.WaitGroup
		began := time.Now()
		for i := range 64 {
			key := "k"
			if i%3 == 0 {
				key = "gone"
			}
			wg.Go(func() {
				for time.Since(began) < 2*time.Second {
					l.Acquire(t.Context(), r.For(key))
					time.Sleep(time.Millisecond)
				}
			})
		}
		store.HangWhere(func(b *ratelimit.Batch) bool { return b.Items[0].Key == "gone" })
		wg.Wait()
		if got := seen.drain(); got != nil {
			t.Errorf("with two of three nodes the circuit was %v", got)
		}
	})
}

func TestMostCallsFail(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, seen *changes, _ *records) {
		r := rule("a")
		n := 0
		store.HangWhere(func(*ratelimit.Batch) bool { n++; return n%5 != 0 })
		for range 40 {
			l.Acquire(t.Context(), r.For("k"))
		}
		if got := seen.drain(); !slices.Equal(got, []string{"open"}) {
			t.Errorf("with four of five calls failing the circuit was %v", got)
		}
	})
}

func TestHalfOpenLetsFewThrough(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, _ *records) {
		open(t, l, store)
		store.Hang()
		time.Sleep(500*time.Millisecond + time.Microsecond)
		before := store.Calls()
		var slow atomic.Int64
		var wg sync.WaitGroup
		r := rule("a")
		for range 1000 {
			wg.Go(func() {
				began := time.Now()
				if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || !d.Degraded {
					t.Errorf("%+v, %v", d, err)
				}
				if time.Since(began) > 0 {
					slow.Add(1)
				}
			})
		}
		wg.Wait()
		if n := store.Calls() - before; n == 0 || n > 3 || slow.Load() != n {
			t.Errorf("1000 calls asked a store that is half back %d times, %d of them waited", n, slow.Load())
		}
	})
}

func TestOpenCircuitRefusesWithTheCause(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, _ *records) {
		open(t, l, store)
		r := rule("a")
		r.Fail, r.Refund = ratelimit.FailClosed, ratelimit.OnError
		_, err := l.Admit(t.Context(), r.For("k"))
		if !errors.Is(err, ratelimit.ErrUnavailable) || !errors.Is(err, errDown) {
			t.Errorf("Admit: %v", err)
		}
		if err := l.Reset(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) || !errors.Is(err, errDown) {
			t.Errorf("Reset: %v", err)
		}
	})
}

func TestRefundsHeedTheCircuit(t *testing.T) {
	wired(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore, _ *changes, _ *records) {
		r := rule("a")
		r.Refund = ratelimit.OnError
		d, err := l.Admit(t.Context(), r.For("k"))
		if err != nil {
			t.Fatal(err)
		}
		open(t, l, store)
		before := store.Calls()
		if err := l.Refund(t.Context(), d); !errors.Is(err, errDown) {
			t.Errorf("Refund: %v", err)
		}
		if store.Calls() != before {
			t.Error("a refund has asked the store behind an open circuit")
		}
	})
}

func TestSetupFaultIsLoggedAtOnce(t *testing.T) {
	t.Parallel()
	log := &records{}
	store := ratelimittest.NewFailingStore(memory.New())
	l := ratelimit.New(faulty{store, func(err error) ratelimit.Fault {
		if strings.HasPrefix(err.Error(), "NOAUTH") {
			return ratelimit.SetupFault
		}
		return ratelimit.StoreFault
	}}, ratelimit.WithLogger(slog.New(log)))
	defer l.Close()
	r := rule("a")
	store.Fail(errDown)
	l.Acquire(t.Context(), r.For("k"))
	store.Fail(errors.New("NOAUTH Authentication required."))
	l.Acquire(t.Context(), r.For("k"))
	lines := log.drain()
	const want = "ERROR rate limit store refuses this program, check its user, password, rights and certificates error=NOAUTH Authentication required."
	if len(lines) != 2 || lines[1] != want {
		t.Errorf("logged %q, want %q", lines, want)
	}
}

// TestObserverThatCalls has an observer that calls the limiter, and is slow.
func TestObserverThatCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(memory.New())
		calling := &calling{}
		calling.limiter = ratelimit.New(faulty{FailingStore: store}, quiet(), ratelimit.WithObserver(calling))
		defer calling.limiter.Close()
		store.Fail(errDown)
		r := rule("a")
		var slowest atomic.Int64
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				for range 100 {
					began := time.Now()
					calling.limiter.Acquire(t.Context(), r.For("k"))
					if time.Since(began) > 0 {
						slowest.Add(1)
					}
					time.Sleep(10 * time.Millisecond)
				}
			})
		}
		wg.Wait()
		if told := calling.told.Load(); told == 0 || slowest.Load() > 64+told {
			t.Errorf("a slow observer was told %d times and kept %d calls waiting", told, slowest.Load())
		}
	})
}

type calling struct {
	ratelimit.NoObserver
	limiter *ratelimit.Limiter
	told    atomic.Int64
}

func (c *calling) ObserveCircuit(ratelimit.CircuitEvent) {
	c.told.Add(1)
	r := rule("from.observer")
	c.limiter.Acquire(context.Background(), r.For("k"))
	time.Sleep(200 * time.Millisecond)
}

func BenchmarkOpenCircuit(b *testing.B) {
	for name, policy := range map[string]ratelimit.Failure{
		"open": ratelimit.FailOpen, "closed": ratelimit.FailClosed, "local": ratelimit.FailLocal,
	} {
		b.Run(name, func(b *testing.B) {
			store := ratelimittest.NewFailingStore(memory.New())
			l := ratelimit.New(faulty{FailingStore: store}, quiet(), ratelimit.WithFailure(policy), sharing(0.5), ratelimit.WithTimeout(time.Millisecond))
			defer l.Close()
			r := rule("a")
			store.Fail(errDown)
			for range 10 {
				l.Acquire(b.Context(), r.For("k"))
				time.Sleep(time.Millisecond)
			}
			b.ReportAllocs()
			for b.Loop() {
				l.Acquire(b.Context(), r.For("k"))
			}
		})
	}
}

// frozen is a remote store that refuses as it did before and fails where it
// would have to charge, as a master does that has become a replica.
type frozen struct {
	ratelimit.Store
	is    atomic.Bool
	asked atomic.Int64
}

func (*frozen) Remote() bool { return true }

func (s *frozen) Do(ctx context.Context, b *ratelimit.Batch) error {
	s.asked.Add(1)
	if !s.is.Load() {
		return s.Store.Do(ctx, b)
	}
	op := b.Op
	b.Op = ratelimit.OpPeek
	err := s.Store.Do(ctx, b)
	b.Op = op
	if err == nil && b.Allowed {
		return errors.New("READONLY")
	}
	return err
}

func TestRefusalsKeepNoCircuitClosed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		refusals int // to each call that would pass
		opens    bool
	}{{0, true}, {1, true}, {3, true}, {10, false}} {
		synctest.Test(t, func(t *testing.T) {
			store := &frozen{Store: memory.New()}
			l := ratelimit.New(store, quiet(), ratelimit.WithDenyCache(0))
			defer l.Close()
			full, other := rule("full"), rule("other")
			full.Limit = 1
			l.Acquire(t.Context(), full.For("k"))
			store.is.Store(true)
			for range 40 {
				l.Acquire(t.Context(), other.For("k"))
				for range c.refusals {
					l.Acquire(t.Context(), full.For("k"))
				}
				time.Sleep(5 * time.Millisecond)
			}
			made := int64(40*(1+c.refusals) + 1)
			if opened := store.asked.Load() < made; opened != c.opens {
				t.Errorf("with %d refusals to each failure %d calls of %d asked the store", c.refusals, store.asked.Load(), made)
			}
			store.is.Store(false)
			time.Sleep(time.Second)
			for range 3 { // a refusal closes it as well
				l.Acquire(t.Context(), full.For("k"))
			}
			if d, err := l.Acquire(t.Context(), other.For("k")); err != nil || d.Degraded {
				t.Errorf("after the store's return: %+v, %v", d, err)
			}
		})
	}
}
