package ratelimittest_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

func TestAllAndNone(t *testing.T) {
	for _, fail := range []ratelimit.Failure{ratelimit.FailOpen, ratelimit.FailClosed, ratelimit.FailLocal} {
		r := ratelimit.Rule{Name: "calls", Algorithm: ratelimit.FixedWindow, Limit: 1, Window: time.Hour, Fail: fail}
		for range 3 {
			if _, err := ratelimittest.AllowAll().Admit(t.Context(), r.For("k")); err != nil {
				t.Errorf("AllowAll, %v: %v", fail, err)
			}
			if _, err := ratelimittest.DenyAll().Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrLimited) {
				t.Errorf("DenyAll, %v: %v", fail, err)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	configured := ratelimit.WithConfig(func(string) (int64, bool) { return 7, true })
	if n := ratelimittest.AllowAll(configured).Config("x", 1); n != 7 {
		t.Errorf("AllowAll leaves options out: %d", n)
	}
	if n := ratelimittest.DenyAll(configured).Config("x", 1); n != 7 {
		t.Errorf("DenyAll leaves options out: %d", n)
	}
}

// TestRulesOfEveryKind: what a bucket admits that nobody has used, or that is used
// up, is the algorithm's matter.
func TestRulesOfEveryKind(t *testing.T) {
	window := ratelimit.Rule{Name: "window", Algorithm: ratelimit.SlidingWindow, Limit: 50_000, Window: time.Hour}
	token := ratelimit.Rule{Name: "token", Algorithm: ratelimit.TokenBucket, Limit: 1, Burst: 100, Window: time.Hour}
	leaky := ratelimit.Rule{Name: "leaky", Algorithm: ratelimit.LeakyBucket, Limit: 1, Burst: 2, Window: time.Hour}
	day := ratelimit.Rule{Name: "day", Limit: 5, Calendar: ratelimit.Day, Zone: "UTC"}
	for _, c := range []struct {
		rule        *ratelimit.Rule
		most, limit int64
	}{{&window, 10_000, 50_000}, {&token, 100, 100}, {&leaky, 3, 3}, {&day, 5, 5}} {
		d, err := ratelimittest.AllowAll().Admit(t.Context(), c.rule.For("k").WithCost(c.most))
		if err != nil || d.Limit != c.limit || d.Remaining != c.limit-c.most || d.ResetAfter <= 0 || d.ResetAfter > 24*time.Hour {
			t.Errorf("AllowAll, %s: %+v, %v", c.rule.Name, d, err)
		}
		if d, err := ratelimittest.AllowAll().Admit(t.Context(), c.rule.For("k").WithCost(c.most+1)); err == nil || d.RetryAfter != 0 {
			t.Errorf("AllowAll, %s, a cost that can never pass: %+v, %v", c.rule.Name, d, err)
		}
		d, err = ratelimittest.DenyAll().Admit(t.Context(), c.rule.For("k"))
		if err == nil || d.RetryAfter <= 0 || d.RetryAfter > 24*time.Hour || d.ResetAfter != d.RetryAfter || d.Remaining != 0 {
			t.Errorf("DenyAll, %s: %+v, %v", c.rule.Name, d, err)
		}
	}
}

func TestRulesInShadowRefuseNobody(t *testing.T) {
	r := ratelimit.Rule{Name: "calls", Algorithm: ratelimit.FixedWindow, Limit: 1, Window: time.Hour, Shadow: true}
	if _, err := ratelimittest.DenyAll().Admit(t.Context(), r.For("k")); err != nil {
		t.Errorf("DenyAll: %v", err)
	}
	if _, err := ratelimittest.AllowAll().Admit(t.Context(), r.For("k").WithCost(2)); err != nil {
		t.Errorf("AllowAll, a cost above the limit: %v", err)
	}
}

func TestAsMuchAsThereIs(t *testing.T) {
	r := ratelimit.Rule{Name: "calls", Algorithm: ratelimit.FixedWindow, Limit: 5, Window: time.Hour}
	less := ratelimit.Rule{Name: "less", Algorithm: ratelimit.FixedWindow, Limit: 4, Window: time.Hour}
	for _, c := range []struct{ asked, granted int64 }{{3, 3}, {100, 4}} {
		d, err := ratelimittest.AllowAll().AcquireAtMost(t.Context(), c.asked, r.For("k"), less.For("k"))
		if err != nil || !d.Allowed || d.Granted != c.granted || d.Remaining != 4-c.granted {
			t.Errorf("AllowAll, %d: %+v, %v, want %d granted", c.asked, d, err, c.granted)
		}
	}
	if d, err := ratelimittest.DenyAll().AcquireAtMost(t.Context(), 3, r.For("k")); err != nil || d.Allowed || d.Granted != 0 || d.RetryAfter != time.Hour {
		t.Errorf("DenyAll: %+v, %v", d, err)
	}
}

func TestRefusalsAreNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := ratelimit.Rule{Name: "calls", Algorithm: ratelimit.SlidingWindow, Limit: 1, Window: time.Second, Wait: time.Minute}
		began := time.Now()
		if _, err := ratelimittest.DenyAll().Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("got %v, want ErrLimited", err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("refused after %v, want at once", took)
		}
	})
}
