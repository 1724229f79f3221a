package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// remote is a store as if it were asked over a network.
type remote struct{ *ratelimittest.FailingStore }

func (remote) Remote() bool { return true }

// far runs test in a bubble with a limiter that remembers refusals.
func far(t *testing.T, test func(*testing.T, *ratelimit.Limiter, *ratelimittest.FailingStore), options ...ratelimit.Option) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
		test(t, ratelimit.New(remote{store}, append(options, quiet())...), store)
	})
}

// asks reports whether the call asks the store.
func asks(store *ratelimittest.FailingStore, call func()) bool {
	before := store.Calls()
	call()
	return store.Calls() != before
}

func TestRefusalIsRemembered(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		r.Limit, r.Window = 1, 700*time.Millisecond
		acquire := func() ratelimit.Decision {
			d, err := l.Acquire(t.Context(), r.For("k"))
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		acquire()
		if !asks(store, func() { acquire() }) {
			t.Error("the first refusal was not the store's")
		}
		time.Sleep(100 * time.Millisecond)
		if asks(store, func() {
			d := acquire()
			if d.Allowed || d.RetryAfter != 600*time.Millisecond || d.ResetAfter != 600*time.Millisecond || d.Rule != &r || !d.Time.Equal(time.Now()) {
				t.Errorf("the refusal repeated 100ms later: %+v", d)
			}
		}) {
			t.Error("the second refusal asked the store")
		}
		time.Sleep(600*time.Millisecond - time.Microsecond)
		if asks(store, func() { acquire() }) {
			t.Error("a microsecond before its end the refusal is not known any more")
		}
		time.Sleep(time.Microsecond)
		if d := acquire(); !d.Allowed {
			t.Errorf("at its end: %+v", d)
		}
	})
}

func TestRefusalIsNotRepeatedForever(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		for range 6 {
			l.Acquire(t.Context(), r.For("k"))
		}
		time.Sleep(300*time.Millisecond - 1)
		if asks(store, func() { l.Acquire(t.Context(), r.For("k")) }) {
			t.Error("within its age it asks")
		}
		time.Sleep(1)
		if !asks(store, func() { l.Acquire(t.Context(), r.For("k")) }) {
			t.Error("after its age it does not ask")
		}
	}, ratelimit.WithDenyCache(300*time.Millisecond))
}

func TestWhatARefusalIsGoodFor(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r, waits, shadow, other := rule("a"), rule("waits"), rule("shadow"), rule("other")
		waits.Wait, shadow.Shadow = time.Millisecond, true
		broken := errors.New("nil pointer")
		refuse := func() {
			for _, q := range []ratelimit.Request{r.For("k"), waits.For("k"), shadow.For("k"), r.Try("", broken)} {
				l.Acquire(t.Context(), q.WithCost(3))
				l.Acquire(t.Context(), q.WithCost(3))
			}
		}
		for name, c := range map[string]struct {
			requests []ratelimit.Request
			asks     bool
		}{
			"the same":             {[]ratelimit.Request{r.For("k").WithCost(3)}, false},
			"a larger cost":        {[]ratelimit.Request{r.For("k").WithCost(4)}, false},
			"a smaller cost":       {[]ratelimit.Request{r.For("k").WithCost(2)}, true},
			"another limit":        {[]ratelimit.Request{r.For("k").WithCost(3).WithLimit(6)}, true},
			"another key":          {[]ratelimit.Request{r.For("K").WithCost(3)}, true},
			"another tag":          {[]ratelimit.Request{r.For("k").WithCost(3).WithTag("t")}, true},
			"together with others": {[]ratelimit.Request{other.For("k"), r.For("k").WithCost(3)}, false},
			"a rule that waits":    {[]ratelimit.Request{waits.For("k").WithCost(3)}, true},
			"a rule in shadow":     {[]ratelimit.Request{shadow.For("k").WithCost(3)}, true},
			"a broken key":         {[]ratelimit.Request{r.Try("", broken).WithCost(3)}, true},
		} {
			refuse()
			if got := asks(store, func() { l.Acquire(t.Context(), c.requests...) }); got != c.asks {
				t.Errorf("%s: asks %v, want %v", name, got, c.asks)
			}
		}
		refuse()
		if !asks(store, func() { l.Peek(t.Context(), r.For("k").WithCost(3)) }) {
			t.Error("Peek does not ask")
		}
	})
}

// A call with a deadline is refused a turn that comes after it; others have
// more time.
func TestADeadlineIsTheCallersOwn(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, _ *ratelimittest.FailingStore) {
		r := &ratelimit.Rule{Name: "leaky", Algorithm: ratelimit.LeakyBucket, Limit: 1, Window: 10 * time.Second, Burst: 10}
		l.Acquire(t.Context(), r.For("k"))
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.Admit(short, r.For("k")); !errors.Is(err, ratelimit.ErrLimited) {
			t.Fatalf("a turn in ten seconds with a second of time: %v", err)
		}
		if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || !d.Allowed {
			t.Errorf("the next call, without a deadline: %+v, %v", d, err)
		}
	})
}

func TestOwnChangesClearRefusals(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		r.Limit, r.Refund = 1, ratelimit.OnError
		d, _ := l.Acquire(t.Context(), r.For("k"))
		l.Acquire(t.Context(), r.For("k"))
		if err := l.Refund(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		if d, _ := l.Acquire(t.Context(), r.For("k")); !d.Allowed {
			t.Error("refused after a refund")
		}
		l.Acquire(t.Context(), r.For("k"))
		if err := l.Reset(t.Context(), r.For("k")); err != nil {
			t.Fatal(err)
		}
		if d, _ := l.Acquire(t.Context(), r.For("k")); !d.Allowed {
			t.Error("refused after a reset")
		}
	})
}

func TestDenyCacheIsBounded(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		r.Limit = 1
		for range 2 {
			for i := range 40_000 {
				l.Acquire(t.Context(), r.For(fmt.Sprint(i)))
			}
		}
		known := 0
		for i := range 40_000 {
			if !asks(store, func() { l.Acquire(t.Context(), r.For(fmt.Sprint(i))) }) {
				known++
			}
		}
		if known == 0 || known > 1<<14 {
			t.Errorf("%d of 40,000 refusals are known", known)
		}
	})
}

// TestImpossibleCostIsNoMatterOfTime: what is remembered for a lower cost says
// when that will pass.
func TestImpossibleCostIsNoMatterOfTime(t *testing.T) {
	t.Parallel()
	store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
	l := ratelimit.New(remote{store}, quiet())
	r := rule("a")
	for _, cost := range []int64{r.Limit, 1} {
		if _, err := l.Acquire(t.Context(), r.For("k").WithCost(cost)); err != nil {
			t.Fatal(err)
		}
	}
	d, err := l.Acquire(t.Context(), r.For("k").WithCost(r.Limit+1))
	if err != nil || d.Allowed || d.RetryAfter != 0 {
		t.Errorf("%+v, %v: a cost above the limit never passes", d, err)
	}
}

func TestNoDenyCacheForMemory(t *testing.T) {
	t.Parallel()
	store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
	l := ratelimit.New(store, quiet())
	off := ratelimit.New(remote{store}, quiet(), ratelimit.WithDenyCache(0))
	r := rule("a")
	for _, l := range []*ratelimit.Limiter{l, off} {
		for range 8 {
			if !asks(store, func() { l.Acquire(t.Context(), r.For("k")) }) {
				t.Fatal("a refusal was not asked for")
			}
		}
	}
}

func TestLocalRefusalAllocatesNoMoreThanItsError(t *testing.T) {
	store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
	l := ratelimit.New(remote{store}, quiet(), ratelimit.WithDenyCache(time.Minute))
	a, b := rule("a"), rule("b")
	a.Limit = 1
	ctx := t.Context()
	acquire := func() { l.Acquire(ctx, b.For("k"), a.For("k")) }
	admit := func() { l.Admit(ctx, b.For("k"), a.For("k")) }
	acquire()
	acquire()
	before := store.Calls()
	if n := testing.AllocsPerRun(1000, acquire); n != 0 {
		t.Errorf("Acquire: %v allocations", n)
	}
	if n := testing.AllocsPerRun(1000, admit); n != 1 {
		t.Errorf("Admit: %v allocations, want its error", n)
	}
	if store.Calls() != before {
		t.Errorf("%d calls of the store", store.Calls()-before)
	}
}

func BenchmarkLocalRefusal(b *testing.B) {
	store := ratelimittest.NewFailingStore(ratelimittest.DenyStore())
	l := ratelimit.New(remote{store}, quiet(), ratelimit.WithDenyCache(time.Hour))
	r := rule("a")
	r.Window = time.Hour
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			l.Acquire(b.Context(), r.For("user:10086"))
		}
	})
	if store.Calls() > 100 {
		b.Errorf("the store was asked %d times", store.Calls())
	}
}

// TestFloodGivesWay has one caller be refused again and again on a single
// processor, and another goroutine run beside it.
func TestFloodGivesWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	store := ratelimittest.NewFailingStore(storetest.NewOracle(time.Now))
	l := ratelimit.New(remote{store}, quiet(), ratelimit.WithDenyCache(time.Hour))
	r := rule("flood")
	r.Limit, r.Window = 1, time.Hour
	var turns atomic.Int64
	var over atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for !over.Load() {
			turns.Add(1)
			runtime.Gosched()
		}
	}()
	const calls = 20_000
	for range calls {
		if _, err := l.Acquire(t.Context(), r.For("k")); err != nil {
			t.Fatal(err)
		}
	}
	over.Store(true)
	<-done
	if n := turns.Load(); n < calls/200 {
		t.Errorf("the other goroutine had %d turns during %d refusals", n, calls)
	}
	if n := store.Calls(); n != 2 {
		t.Errorf("the store was asked %d times", n)
	}
}

// TestResetNeedsNoLimit resets the bucket of a rule whose limit comes with each
// request.
func TestResetNeedsNoLimit(t *testing.T) {
	l := ratelimit.New(storetest.NewOracle(time.Now), quiet())
	r := rule("dynamic")
	r.Limit = 0
	call := func() bool {
		d, err := l.Acquire(t.Context(), r.For("k").WithLimit(1))
		if err != nil {
			t.Fatal(err)
		}
		return d.Allowed
	}
	for name, again := range map[string]ratelimit.Request{"no limit": r.For("k"), "a limit of 0": r.For("k").WithLimit(0)} {
		if call(); call() {
			t.Errorf("%s: two calls of one have passed", name)
		}
		if err := l.Reset(t.Context(), again); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !call() {
			t.Errorf("%s: refused after a reset", name)
		}
		if err := l.Reset(t.Context(), again); err != nil {
			t.Error(err)
		}
	}
}
