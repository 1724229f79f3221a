package ratelimit_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

func oracleLimiter(options ...ratelimit.Option) (*ratelimit.Limiter, *ratelimittest.FailingStore) {
	clock := storetest.NewClock(1_700_000_000_000_000)
	store := ratelimittest.NewFailingStore(storetest.NewOracle(clock.Now))
	return ratelimit.New(store, append(options, quiet())...), store
}

func left(t *testing.T, l *ratelimit.Limiter, r ratelimit.Request) int64 {
	t.Helper()
	d, err := l.Peek(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return d.Remaining
}

func TestSettle(t *testing.T) {
	t.Parallel()
	failure := errors.New("wrong password")
	for name, c := range map[string]struct {
		refund        func(error) bool
		onErr, onNone int64 // left of 5 after one call
	}{
		"never":      {nil, 4, 4},
		"on error":   {ratelimit.OnError, 5, 4},
		"on success": {ratelimit.OnSuccess, 4, 5},
		"own":        {func(err error) bool { return errors.Is(err, failure) }, 5, 4},
	} {
		t.Run(name, func(t *testing.T) {
			for err, want := range map[error]int64{failure: c.onErr, nil: c.onNone} {
				l, _ := oracleLimiter()
				r := rule("a")
				r.Refund = c.refund
				d, refused := l.Admit(t.Context(), r.For("k"))
				if refused != nil {
					t.Fatal(refused)
				}
				l.Settle(t.Context(), d, err)
				l.Settle(t.Context(), d, err)
				if got := left(t, l, r.For("k")); got != want {
					t.Errorf("after a call that ended with %v %d are left, want %d", err, got, want)
				}
			}
		})
	}
}

func TestSettleAsksEachRule(t *testing.T) {
	t.Parallel()
	l, _ := oracleLimiter()
	attempts, failures, plain := rule("attempts"), rule("failures"), rule("plain")
	attempts.Refund, failures.Refund = ratelimit.OnError, ratelimit.OnSuccess
	d, err := l.Admit(t.Context(), attempts.For("k").WithCost(2), failures.For("k").WithCost(3), plain.For("k"))
	if err != nil {
		t.Fatal(err)
	}
	l.Settle(t.Context(), d, nil)
	for r, want := range map[*ratelimit.Rule]int64{&attempts: 3, &failures: 5, &plain: 4} {
		if got := left(t, l, r.For("k")); got != want {
			t.Errorf("%s has %d left, want %d", r.Name, got, want)
		}
	}
}

func TestRefundOnlyTheShareOfTheRule(t *testing.T) {
	t.Parallel()
	l, _ := oracleLimiter()
	kept, returned := rule("shared"), rule("shared")
	returned.Refund = ratelimit.OnError
	d, err := l.Admit(t.Context(), kept.For("k"), returned.For("k").WithCost(3))
	if err != nil || d.Remaining != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	if err := l.Refund(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	if got := left(t, l, kept.For("k")); got != 4 {
		t.Errorf("%d are left, want 4", got)
	}
}

func TestRefundAtMostOnce(t *testing.T) {
	t.Parallel()
	l, store := oracleLimiter()
	r := rule("a")
	r.Refund = ratelimit.OnError
	l.Admit(t.Context(), r.For("k"))
	d, _ := l.Admit(t.Context(), r.For("k"))
	before := store.Calls()
	var done atomic.Int64
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if l.Refund(t.Context(), d) == nil {
				done.Add(1)
			}
			l.Settle(t.Context(), d, errors.New("late"))
		})
	}
	wg.Wait()
	if sent := store.Calls() - before; sent != 1 || done.Load() != 1 {
		t.Errorf("%d refunds were sent and %d said so, want 1", sent, done.Load())
	}
	if got := left(t, l, r.For("k")); got != 4 {
		t.Errorf("%d are left, want 4", got)
	}
}

func TestRefundIsSentOnceEvenIfItFails(t *testing.T) {
	t.Parallel()
	l, store := oracleLimiter()
	r := rule("a")
	r.Refund = ratelimit.OnError
	d, _ := l.Admit(t.Context(), r.For("k"))
	lost := errors.New("connection reset")
	store.Fail(lost)
	if err := l.Refund(t.Context(), d); !errors.Is(err, lost) {
		t.Errorf("a refund that fails: %v", err)
	}
	store.Fail(nil)
	if err := l.Refund(t.Context(), d); err == nil {
		t.Error("a refund that may have arrived was sent again")
	}
}

func TestRefundOutlivesTheCaller(t *testing.T) {
	t.Parallel()
	l, _ := oracleLimiter()
	r := rule("a")
	r.Refund = ratelimit.OnError
	ctx, cancel := context.WithCancel(t.Context())
	d, _ := l.Admit(ctx, r.For("k"))
	cancel()
	l.Settle(ctx, d, context.Canceled)
	if got := left(t, l, r.For("k")); got != 5 {
		t.Errorf("%d are left, want 5", got)
	}
}

func TestNothingToRefund(t *testing.T) {
	t.Parallel()
	l, store := oracleLimiter()
	plain, r := rule("plain"), rule("a")
	r.Refund, r.Limit = ratelimit.OnError, 1
	took, _ := l.Admit(t.Context(), plain.For("k"))
	l.Admit(t.Context(), r.For("k"))
	refused, _ := l.Acquire(t.Context(), r.For("k"))
	peeked, _ := l.Peek(t.Context(), r.For("other"))
	store.Fail(errors.New("down"))
	degraded, _ := l.Acquire(t.Context(), r.For("other"))
	store.Fail(nil)
	before := store.Calls()
	for name, d := range map[string]ratelimit.Decision{
		"no rule with a Refund": took, "refused": refused, "peeked": peeked, "degraded": degraded, "none": {},
	} {
		if err := l.Refund(t.Context(), d); err == nil {
			t.Errorf("%s: a refund of nothing", name)
		}
		l.Settle(t.Context(), d, errors.New("failed"))
	}
	if store.Calls() != before {
		t.Error("the store was asked to refund nothing")
	}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	l, _ := oracleLimiter()
	a, b := rule("a"), rule("b")
	a.Tag, b.Tag, b.Limit = "t", "t", 3
	ctx, recorder := ratelimit.WithRecorder(t.Context())

	for range 3 {
		if d, err := l.Peek(ctx, a.For("k"), b.For("k")); err != nil || !d.Allowed || d.Remaining != 3 {
			t.Errorf("Peek: %+v, %v", d, err)
		}
	}
	d, err := l.AcquireAtMost(ctx, 10, a.For("k"), b.For("k"))
	if err != nil || !d.Allowed || d.Granted != 3 || d.Rule != &b || d.Remaining != 0 {
		t.Errorf("AcquireAtMost: %+v, %v", d, err)
	}
	d, err = l.AcquireAtMost(ctx, 10, a.For("k"), b.For("k"))
	if err != nil || d.Allowed || d.Granted != 0 || d.RetryAfter != time.Minute {
		t.Errorf("AcquireAtMost of nothing: %+v, %v", d, err)
	}
	if d, err := l.AcquireAtMost(ctx, 0, a.For("k")); err != nil || !d.Allowed || d.Granted != 0 {
		t.Errorf("AcquireAtMost(0): %+v, %v", d, err)
	}
	if err := l.Reset(ctx, b.For("k")); err != nil {
		t.Fatal(err)
	}
	if d, err := l.Admit(ctx, a.For("k"), b.For("k")); err != nil || d.Remaining != 1 || d.Rule != &a {
		t.Errorf("after Reset: %+v, %v", d, err)
	}
	var passed []bool
	for _, d := range recorder.Decisions() {
		passed = append(passed, d.Allowed)
	}
	if want := []bool{true, false, true, true}; !slices.Equal(passed, want) {
		t.Errorf("the recorder has %v, want %v", passed, want)
	}
}

func TestShadow(t *testing.T) {
	t.Parallel()
	l, _ := oracleLimiter()
	shadow, real := rule("shadow"), rule("real")
	shadow.Shadow, shadow.Limit = true, 1
	for i := range 5 {
		d, err := l.Admit(t.Context(), shadow.For("k"), real.For("k"))
		if err != nil || d.Rule != &real || d.Remaining != int64(4-i) {
			t.Errorf("call %d: %+v, %v", i, d, err)
		}
	}
	if d, err := l.Admit(t.Context(), shadow.For("k"), real.For("k")); err == nil || d.Rule != &real {
		t.Errorf("the real rule does not refuse: %+v, %v", d, err)
	}
	if d, err := l.Admit(t.Context(), shadow.For("k")); err != nil || d.Rule != &shadow || d.Remaining != 0 {
		t.Errorf("a shadow rule alone: %+v, %v", d, err)
	}
	if _, err := l.Admit(t.Context(), shadow.For("k").WithLimit(0)); err != nil {
		t.Errorf("a shadow rule with limit 0: %v", err)
	}
}

func TestShadowRulesFailOpen(t *testing.T) {
	t.Parallel()
	l, store := oracleLimiter(ratelimit.WithFailure(ratelimit.FailClosed))
	store.Fail(errors.New("down"))
	r := rule("a")
	r.Shadow = true
	if d, err := l.Admit(t.Context(), r.For("k").WithCost(9)); err != nil || !d.Degraded {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := l.Admit(t.Context(), r.Try("k", errors.New("nil pointer"))); err != nil {
		t.Errorf("a broken key of a shadow rule: %v", err)
	}
}

func TestPrivateKeysAreDigested(t *testing.T) {
	t.Parallel()
	store := &scripted{answer: func(int, ratelimit.Item) ratelimit.Result { return ratelimit.Result{RetryAfter: 1} }}
	l := ratelimit.New(store, quiet())
	r := rule("a")
	r.Private = true
	d, err := l.Admit(t.Context(), r.For("+49 170 1234567"))
	limited, _ := errors.AsType[*ratelimit.LimitError](err)
	sum := sha256.Sum256([]byte("+49 170 1234567"))
	want := hex.EncodeToString(sum[:16])
	for where, key := range map[string]string{"store": store.asked[0].Key, "decision": d.Key, "error": limited.Key} {
		if key != want {
			t.Errorf("the key in the %s is %q, want %q", where, key, want)
		}
	}
}
