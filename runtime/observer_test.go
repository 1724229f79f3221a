package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// witness writes down what it is told.
type witness struct {
	ratelimit.NoObserver
	mu        sync.Mutex
	decisions []ratelimit.DecisionEvent
	stores    []ratelimit.StoreEvent
	refunds   []ratelimit.RefundEvent
}

func (w *witness) ObserveDecision(_ context.Context, e ratelimit.DecisionEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.Items = append([]ratelimit.Item(nil), e.Items...)
	w.decisions = append(w.decisions, e)
}

func (w *witness) ObserveStore(_ context.Context, e ratelimit.StoreEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stores = append(w.stores, e)
}

func (w *witness) ObserveRefund(_ context.Context, e ratelimit.RefundEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.Items = append([]ratelimit.Item(nil), e.Items...)
	w.refunds = append(w.refunds, e)
}

func (w *witness) last(t *testing.T) ratelimit.DecisionEvent {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.decisions) == 0 {
		t.Fatal("the observer was told of no decision")
	}
	e := w.decisions[len(w.decisions)-1]
	w.decisions = nil
	return e
}

func TestObserver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := &witness{}
		store := ratelimittest.NewFailingStore(memory.New())
		l := ratelimit.New(faulty{FailingStore: store}, quiet(), ratelimit.WithObserver(seen), ratelimit.WithObserver(nil), sharing(0.5))
		defer l.Close()
		r, hidden, queue, own := rule("a"), rule("hidden"), waiting(1, time.Second, time.Minute), local("local", ratelimit.FixedWindow, 4)
		r.Limit, hidden.Limit, hidden.Shadow = 2, 1, true
		closed := rule("closed")
		closed.Fail = ratelimit.FailClosed
		acquire := func(requests ...ratelimit.Request) { l.Acquire(t.Context(), requests...) }
		admit := func(requests ...ratelimit.Request) { l.Admit(t.Context(), requests...) }
		down := func() { store.Fail(errDown) }
		for _, c := range []struct {
			name  string
			call  func()
			want  string // decider, allowed, degraded, rule, error
			items string // allowed of each
		}{
			{"a pass", func() { acquire(r.For("k"), hidden.For("k")) }, "store true false a <nil>", "[true true]"},
			{"a shadow that would refuse", func() { acquire(r.For("k"), hidden.For("k")) }, "store true false a <nil>", "[true false]"},
			{"a refusal", func() { admit(r.For("k")) }, "store false false a <nil>", "[false]"},
			{"a refusal that is remembered", func() { admit(r.For("k")) }, "deny cache false false a <nil>", "[]"},
			{"nothing asked", func() { acquire() }, "nobody true false - <nil>", "[]"},
			{"a limit of 0", func() { acquire(r.For("x").WithLimit(0)) }, "nobody false false a <nil>", "[]"},
			{"a broken key", func() { admit(closed.Try("", errDown)) }, "nobody false false closed broken rate limit key", "[]"},
			{"a wait", func() { admit(queue.For("k")); admit(queue.For("k")) }, "store true false waiting <nil>", "[true]"},
			{"open", func() { down(); acquire(r.For("x")) }, "policy true true a <nil>", "[]"},
			{"closed", func() { acquire(closed.For("x")) }, "policy false false closed rate limit store unavailable", "[]"},
			{"local", func() { acquire(own.For("x")) }, "local true true local <nil>", "[]"},
		} {
			c.call()
			e := seen.last(t)
			name := "-"
			if e.Decision.Rule != nil {
				name = e.Decision.Rule.Name
			}
			items := []bool{}
			for _, it := range e.Items {
				items = append(items, it.Allowed)
			}
			if got := fmt.Sprintf("%v %v %v %s %v", e.Decider, e.Decision.Allowed, e.Decision.Degraded, name, kind(e.Err)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
			if got := fmt.Sprint(items); got != c.items {
				t.Errorf("%s: items %s, want %s", c.name, got, c.items)
			}
			want := time.Duration(0)
			if c.name == "a wait" {
				want = time.Second
			}
			if e.Waited != want || e.Took != want {
				t.Errorf("%s took %v and waited %v, want %v", c.name, e.Took, e.Waited, want)
			}
		}
		failures := 0
		for _, e := range seen.stores {
			if e.Err != nil {
				failures++
			}
		}
		if failures != 3 || len(seen.stores) != 9 {
			t.Errorf("%d questions to the store with %d errors, want 9 with 3", len(seen.stores), failures)
		}
	})
}

// kind is which of the errors of a LimitError err is.
func kind(err error) error {
	for _, kind := range []error{ratelimit.ErrLimited, ratelimit.ErrUnavailable, ratelimit.ErrKey, ratelimit.ErrRule} {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return err
}

func TestObserverOfRefunds(t *testing.T) {
	t.Parallel()
	seen := &witness{}
	l, store := failing(ratelimit.WithObserver(seen))
	r := rule("a")
	r.Refund = ratelimit.OnError
	for _, down := range []error{nil, errDown} {
		d, _ := l.Admit(t.Context(), r.For("k").WithCost(2))
		store.Fail(down)
		l.Settle(t.Context(), d, errDown)
		l.Settle(t.Context(), d, errDown)
	}
	if len(seen.refunds) != 2 {
		t.Fatalf("the observer was told of %d refunds, want 2", len(seen.refunds))
	}
	for i, want := range []error{nil, errDown} {
		if e := seen.refunds[i]; !errors.Is(e.Err, want) || len(e.Items) != 1 || e.Items[0].Cost != 2 {
			t.Errorf("refund %d: %+v", i, e)
		}
	}
}

// counting is an observer as metrics have it.
type counting struct {
	ratelimit.NoObserver
	n int
}

func (c *counting) ObserveDecision(_ context.Context, e ratelimit.DecisionEvent) {
	for i := range e.Items {
		if !e.Items[i].Allowed {
			c.n++
		}
	}
}

func (c *counting) ObserveStore(context.Context, ratelimit.StoreEvent) { c.n++ }

func TestObserverAllocatesNothing(t *testing.T) {
	store := ratelimittest.NewFailingStore(ratelimittest.AllowStore())
	for name, l := range map[string]*ratelimit.Limiter{
		"a store in memory": ratelimit.New(memory.New(), quiet(), ratelimit.WithObserver(&counting{})),
		"a circuit":         ratelimit.New(faultless{store}, quiet(), ratelimit.WithObserver(&counting{})),
	} {
		defer l.Close()
		a, b := rule("a"), rule("b")
		call := func() { l.Acquire(t.Context(), a.For("k"), b.For("k")) }
		call()
		if n := testing.AllocsPerRun(1000, call); n > poolLoss {
			t.Errorf("%s: %v allocations, want 0", name, n)
		}
	}
}

func TestOutageAllocatesNothing(t *testing.T) {
	for _, policy := range []ratelimit.Failure{ratelimit.FailOpen, ratelimit.FailLocal} {
		store := ratelimittest.NewFailingStore(memory.New())
		l := ratelimit.New(faulty{FailingStore: store}, quiet(), sharing(0.5), ratelimit.WithFailure(policy), ratelimit.WithTimeout(time.Millisecond))
		defer l.Close()
		r := rule("a")
		r.Algorithm, r.Burst = ratelimit.TokenBucket, 10
		store.Fail(errDown)
		for range 10 {
			l.Acquire(t.Context(), r.For("k"))
			time.Sleep(time.Millisecond)
		}
		if n := testing.AllocsPerRun(1000, func() { l.Acquire(t.Context(), r.For("k")) }); n > poolLoss {
			t.Errorf("%v: %v allocations behind an open circuit, want 0", policy, n)
		}
	}
}
