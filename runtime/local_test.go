package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

var errDown = errors.New("connection refused")

// failing returns a limiter whose store can be made to fail and keeps its
// buckets in memory.
func failing(options ...ratelimit.Option) (*ratelimit.Limiter, *ratelimittest.FailingStore) {
	store := ratelimittest.NewFailingStore(memory.New())
	return ratelimit.New(store, append(options, quiet())...), store
}

func sharing(x float64) ratelimit.Option {
	return ratelimit.WithLocalShare(func() float64 { return x })
}

func local(name string, a ratelimit.Algorithm, limit int64) *ratelimit.Rule {
	return &ratelimit.Rule{Name: name, Algorithm: a, Limit: limit, Window: time.Hour, Fail: ratelimit.FailLocal}
}

// passing counts the calls that pass of those that are made at once.
func passing(t testing.TB, l *ratelimit.Limiter, calls int, requests ...ratelimit.Request) (passed int) {
	t.Helper()
	for range calls {
		d, err := l.Acquire(t.Context(), requests...)
		if err != nil {
			t.Fatal(err)
		}
		if d.Allowed {
			passed++
		}
	}
	return passed
}

func TestLocalShareOfEachLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		share        float64
		limit, burst int64
		algorithm    ratelimit.Algorithm
		want         int
	}{
		{0.5, 10, 0, ratelimit.FixedWindow, 5},
		{0.1, 10, 0, ratelimit.FixedWindow, 1},
		{0.1, 11, 0, ratelimit.SlidingWindow, 2},
		{1.0 / 3, 3, 0, ratelimit.SlidingCounter, 1},
		{2.0 / 3, 3, 0, ratelimit.FixedWindow, 2},
		{0.1 + 0.2, 10, 0, ratelimit.FixedWindow, 3},
		{1, 7, 0, ratelimit.SlidingWindow, 7},
		{1e-300, 7, 0, ratelimit.FixedWindow, 1},
		{0.25, 100, 8, ratelimit.TokenBucket, 2},
		{0.25, 8, 0, ratelimit.TokenBucket, 2},
		{0.25, 100, 8, ratelimit.LeakyBucket, 3},
		{0.25, 100, ratelimit.NoQueue, ratelimit.LeakyBucket, 1},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			l, store := failing(sharing(c.share))
			r := local("a", c.algorithm, c.limit)
			r.Burst = c.burst
			store.Fail(errDown)
			if got := passing(t, l, 20, r.For("k")); got != c.want {
				t.Errorf("%d calls passed, want %d", got, c.want)
			}
			if got := passing(t, l, 20, r.For("other")); got != c.want {
				t.Errorf("%d calls of another key passed, want %d", got, c.want)
			}
		})
	}
}

func TestLocalDecision(t *testing.T) {
	t.Parallel()
	l, store := failing(sharing(0.5))
	r := local("a", ratelimit.TokenBucket, 4)
	r.Burst = 8
	store.Fail(errDown)
	d, err := l.Admit(t.Context(), r.For("k"))
	if err != nil || !d.Allowed || !d.Degraded || d.Rule != r || d.Key != "k" || d.Limit != 4 || d.Remaining != 3 {
		t.Errorf("the first call: %+v, %v", d, err)
	}
	if d, err := l.Peek(t.Context(), r.For("k")); err != nil || d.Remaining != 3 || !d.Degraded {
		t.Errorf("Peek: %+v, %v", d, err)
	}
	if d, err := l.AcquireAtMost(t.Context(), 9, r.For("k")); err != nil || d.Granted != 3 {
		t.Errorf("AcquireAtMost: %+v, %v", d, err)
	}
	d, err = l.Admit(t.Context(), r.For("k"))
	if !errors.Is(err, ratelimit.ErrLimited) || errors.Is(err, ratelimit.ErrUnavailable) || d.Rule != r || d.RetryAfter <= 0 {
		t.Errorf("beyond the share: %+v, %v; want a refusal with a time to retry", d, err)
	}
	if err := l.Reset(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
		t.Errorf("Reset: %v", err)
	}
	store.Fail(nil)
	if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || d.Degraded || d.Limit != 8 || d.Remaining != 7 {
		t.Errorf("after the store's return: %+v, %v; want a bucket that was not charged", d, err)
	}
}

func TestClosedBeatsLocalBeatsOpen(t *testing.T) {
	t.Parallel()
	open, closed, own := rule("open"), rule("closed"), local("local", ratelimit.FixedWindow, 4)
	open.Fail, open.Limit, closed.Fail = ratelimit.FailOpen, 1, ratelimit.FailClosed
	l, store := failing(sharing(0.5))
	store.Fail(errDown)
	if got := passing(t, l, 20, open.For("k"), own.For("k")); got != 2 {
		t.Errorf("local and open: %d passed, want the 2 of the local one", got)
	}
	for _, requests := range [][]ratelimit.Request{
		{open.For("k"), own.For("k"), closed.For("k")}, {closed.For("k"), own.For("other")},
	} {
		if d, err := l.Acquire(t.Context(), requests...); !errors.Is(err, ratelimit.ErrUnavailable) || d.Rule != &closed {
			t.Errorf("with a closed one: %+v, %v", d, err)
		}
	}
	if got := passing(t, l, 5, own.For("other")); got != 2 {
		t.Errorf("the call that was refused closed has taken from the local bucket: %d left of 2", got)
	}
	hidden := local("hidden", ratelimit.FixedWindow, 1)
	hidden.Shadow = true
	if got := passing(t, l, 9, hidden.For("k"), open.For("k")); got != 9 {
		t.Errorf("a local rule in shadow let %d of 9 pass", got)
	}
}

func TestLocalRefund(t *testing.T) {
	t.Parallel()
	l, store := failing(sharing(0.5))
	r, plain := local("logins", ratelimit.SlidingWindow, 4), local("plain", ratelimit.FixedWindow, 100)
	r.Refund = ratelimit.OnSuccess
	store.Fail(errDown)
	for i := range 10 {
		d, err := l.Admit(t.Context(), plain.For("k"), r.For("k"))
		if err != nil {
			t.Fatalf("call %d after successes, which don't count: %v", i, err)
		}
		l.Settle(t.Context(), d, nil)
		l.Settle(t.Context(), d, nil)
	}
	for range 2 {
		d, _ := l.Admit(t.Context(), r.For("k"))
		l.Settle(t.Context(), d, errDown)
	}
	if _, err := l.Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("after two failures of two: %v", err)
	}
}

func TestLocalNeedsAShare(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []ratelimit.Option
		rule    *ratelimit.Rule
	}{
		"the rule's":    {nil, local("a", ratelimit.FixedWindow, 1)},
		"the limiter's": {[]ratelimit.Option{ratelimit.WithFailure(ratelimit.FailLocal)}, &ratelimit.Rule{Name: "a", Limit: 1, Window: time.Hour}},
	} {
		t.Run(name, func(t *testing.T) {
			l, store := failing(c.options...)
			for _, down := range []error{nil, errDown} {
				store.Fail(down)
				_, err := l.Acquire(t.Context(), c.rule.For("k"))
				if !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "WithLocalShare") {
					t.Errorf("with the store's error %v: %v", down, err)
				}
			}
		})
	}
}

func TestBadShareIsNoPass(t *testing.T) {
	t.Parallel()
	for name, share := range map[string]func() float64{
		"NaN":      math.NaN,
		"zero":     func() float64 { return 0 },
		"negative": func() float64 { return -0.5 },
		"above 1":  func() float64 { return math.Nextafter(1, 2) },
		"infinite": func() float64 { return math.Inf(1) },
		"panic":    func() float64 { panic("no replicas known") },
	} {
		t.Run(name, func(t *testing.T) {
			l, store := failing(ratelimit.WithLocalShare(share))
			store.Fail(errDown)
			d, err := l.Acquire(t.Context(), local("a", ratelimit.FixedWindow, 5).For("k"))
			if !errors.Is(err, ratelimit.ErrUnavailable) || d.Allowed {
				t.Errorf("got %+v, %v", d, err)
			}
		})
	}
}

func TestOutageBeginsWithFullBuckets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, store := failing(sharing(0.5))
		defer l.Close()
		r := local("a", ratelimit.FixedWindow, 4)
		outage := func(want int, when string) {
			t.Helper()
			store.Fail(errDown)
			if got := passing(t, l, 9, r.For("k")); got != want {
				t.Errorf("%s: %d passed, want %d", when, got, want)
			}
		}
		recover := func() {
			t.Helper()
			store.Fail(nil)
			if d, err := l.Peek(t.Context(), r.For("k")); err != nil || d.Degraded {
				t.Fatal(d, err)
			}
		}
		outage(2, "the first outage")
		time.Sleep(10 * time.Minute)
		outage(0, "later in the same outage")
		recover()
		outage(0, "a failure soon after")
		recover()
		time.Sleep(time.Minute)
		outage(2, "another outage")
	})
}

func TestLocalIsBounded(t *testing.T) {
	l, store := failing(sharing(0.5))
	defer l.Close()
	r := local("a", ratelimit.FixedWindow, 4)
	store.Fail(errDown)
	before := heap()
	for i := range 200_000 {
		l.Acquire(t.Context(), r.For(fmt.Sprint(i)))
	}
	if grown := heap() - before; grown > 64<<20 {
		t.Errorf("200,000 keys take %d bytes", grown)
	}
}

func TestLocalUnderLoad(t *testing.T) {
	t.Parallel()
	l, store := failing(sharing(0.25))
	store.Fail(errDown)
	rules := []*ratelimit.Rule{local("a", ratelimit.FixedWindow, 400), local("b", ratelimit.TokenBucket, 40)}
	rules[1].Burst = 400
	var passed [2]atomic.Int64
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for range 20 {
				if d, err := l.Acquire(context.Background(), rules[i%2].For("k")); err != nil {
					t.Error(err)
				} else if d.Allowed {
					passed[i%2].Add(1)
				}
			}
		})
	}
	wg.Wait()
	got := []int64{passed[0].Load(), passed[1].Load()}
	if !slices.Equal(got, []int64{100, 100}) {
		t.Errorf("%v passed, want 100 of each", got)
	}
}
