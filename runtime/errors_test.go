package ratelimit_test

import (
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// TestACallThatCanNeverPassIsToldSo: there is no time after which to try again.
func TestACallThatCanNeverPassIsToldSo(t *testing.T) {
	t.Parallel()
	orders := func(a ratelimit.Algorithm, limit, burst int64) *ratelimit.Rule {
		return &ratelimit.Rule{Name: "orders.Place", Algorithm: a, Limit: limit, Burst: burst, Window: time.Minute}
	}
	other := rule("orders.Other")
	day := &ratelimit.Rule{Name: "orders.Place", Limit: 5, Calendar: ratelimit.Day, Zone: "UTC"}
	one := func(r *ratelimit.Rule, cost int64) []ratelimit.Request {
		return []ratelimit.Request{r.For("k").WithCost(cost)}
	}
	for name, c := range map[string]struct {
		requests []ratelimit.Request
		want     string
	}{
		"fixed":    {one(orders(ratelimit.FixedWindow, 5, 0), 6), "a call that costs more than 5 can never pass its limit of 5 calls in 1m0s from the first one"},
		"calendar": {one(day, 6), "a call that costs more than 5 can never pass its limit of 5 calls in a day of the calendar of UTC"},
		"sliding":  {one(orders(ratelimit.SlidingWindow, 5, 0), 6), "a call that costs more than 5 can never pass its limit of 5 calls in any 1m0s"},
		"sliding, which charges 10,000 at once": {one(orders(ratelimit.SlidingWindow, 50_000, 0), 10_001),
			"a call that costs more than 10000 can never pass its limit of 50000 calls in any 1m0s"},
		"counter": {one(orders(ratelimit.SlidingCounter, 5, 0), 6), "a call that costs more than 5 can never pass its limit of about 5 calls in any 1m0s"},
		"token": {one(orders(ratelimit.TokenBucket, 5, 3), 4),
			"a call that costs more than 3 can never pass its limit of 5 calls in 1m0s on average, up to 3 at once"},
		"leaky": {one(orders(ratelimit.LeakyBucket, 5, 3), 5),
			"a call that costs more than 4 can never pass its limit of 5 calls in 1m0s at a constant rate, up to 3 waiting"},
		"leaky without a queue": {one(orders(ratelimit.LeakyBucket, 5, ratelimit.NoQueue), 2),
			"a call that costs more than 1 can never pass its limit of 5 calls in 1m0s at a constant rate, up to 0 waiting"},
		"the request's limit": {[]ratelimit.Request{orders(ratelimit.TokenBucket, 5, 0).For("k").WithLimit(2).WithCost(3)},
			"a call that costs more than 2 can never pass its limit of 2 calls in 1m0s on average, up to 2 at once"},
		"several rules": {append(one(orders(ratelimit.SlidingWindow, 5, 0), 6), other.For("k")),
			"a call that costs more than 5 can never pass its limit of 5 calls in any 1m0s"},
		"one bucket twice": {append(one(orders(ratelimit.SlidingWindow, 5, 0), 3), one(orders(ratelimit.SlidingWindow, 5, 0), 3)...),
			"a call that costs more than 5 can never pass its limit of 5 calls in any 1m0s"},
		"a limit of 0": {[]ratelimit.Request{orders(ratelimit.TokenBucket, 5, 3).For("k").WithLimit(0)}, "no call can pass a limit of 0"},
		"a limit below 0, of several": {[]ratelimit.Request{other.For("k"), orders(ratelimit.FixedWindow, 5, 0).For("k").WithLimit(-1)},
			"no call can pass a limit of 0"},
	} {
		log := &records{}
		l := ratelimit.New(memory.New(), ratelimit.WithLogger(slog.New(log)))
		_, err := l.Admit(t.Context(), c.requests...)
		if want := "orders.Place: " + c.want; !errors.Is(err, ratelimit.ErrLimited) || err.Error() != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		tellsWhy(t, name, log, "rate limit reached", c.want)
		l.Close()
	}
}

// tellsWhy finds the one line of the log to end with a reason and to name no time.
func tellsWhy(t *testing.T, name string, log *records, text, reason string) {
	t.Helper()
	lines := log.drain()
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "WARN "+text+" rule=orders.Place key=k limit=") ||
		!strings.HasSuffix(lines[0], " reason="+reason) || strings.Contains(lines[0], "retry_after") {
		t.Errorf("%s: the log has %q, want %q with the reason %q", name, lines, text, reason)
	}
}

func TestTheLogSaysOfAGrantThatItCanNeverBe(t *testing.T) {
	t.Parallel()
	log := &records{}
	l := ratelimit.New(memory.New(), ratelimit.WithLogger(slog.New(log)))
	r := rule("orders.Place")
	if d, err := l.AcquireAtMost(t.Context(), 100, r.For("k").WithLimit(0)); err != nil || d.Allowed || d.RetryAfter != 0 {
		t.Errorf("a limit of 0: %+v, %v", d, err)
	}
	tellsWhy(t, "AcquireAtMost", log, "rate limit reached", "no call can pass a limit of 0")
	if d, err := l.AcquireAtMost(t.Context(), 100, r.For("k")); err != nil || d.Granted != 5 {
		t.Errorf("a cost above the limit: %+v, %v, want 5 of it", d, err)
	}
	hidden := rule("orders.Place")
	hidden.Shadow = true
	l.Acquire(t.Context(), hidden.For("k").WithCost(6))
	tellsWhy(t, "shadow", log, "shadow rate limit reached", "a call that costs more than 5 can never pass its limit of 5 calls in any 1m0s")
}

// TestNeverIsOnlyForNow: what is too much for a process alone may pass when the
// store is back; what is too much for the store as well never does.
func TestNeverIsOnlyForNow(t *testing.T) {
	t.Parallel()
	store := ratelimittest.NewFailingStore(memory.New())
	l := ratelimit.New(store, quiet(), sharing(0.4))
	defer l.Close()
	store.Fail(errDown)
	fixed, token := local("a", ratelimit.FixedWindow, 5), local("b", ratelimit.TokenBucket, 50)
	token.Burst = 5
	for want, request := range map[string]ratelimit.Request{
		"a: a call that costs more than 2 cannot pass in this process while the store does not answer":      fixed.For("k").WithCost(3),
		"b: a call that costs more than 2 cannot pass in this process while the store does not answer":      token.For("k").WithCost(3),
		"a: a call that costs more than 5 can never pass its limit of 5 calls in 1h0m0s from the first one": fixed.For("k").WithCost(6),
	} {
		if _, err := l.Admit(t.Context(), request); err == nil || err.Error() != want {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestErrorsThatAUserMakes are those of a test that calls a fallback by hand.
func TestErrorsThatAUserMakes(t *testing.T) {
	t.Parallel()
	r := rule("a")
	for want, e := range map[string]*ratelimit.LimitError{
		"a: no call can pass a limit of 0":                                    {Rule: &r},
		"a: limit of 5 calls in any 1m0s reached, retry after 2562047h47m16s": {Rule: &r, Decision: ratelimit.Decision{Limit: 5, RetryAfter: math.MaxInt64}},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
