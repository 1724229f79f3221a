package ratelimit_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

func TestEscalation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to, rule ratelimit.Failure
		passes   bool
	}{
		"open to closed":           {ratelimit.FailClosed, ratelimit.FailOpen, false},
		"closed to open":           {ratelimit.FailOpen, ratelimit.FailClosed, true},
		"local to open":            {ratelimit.FailOpen, ratelimit.FailLocal, true},
		"local to closed":          {ratelimit.FailClosed, ratelimit.FailLocal, false},
		"what is no policy closes": {77, ratelimit.FailOpen, false},
		"local is none":            {ratelimit.FailLocal, ratelimit.FailOpen, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, store := failing(sharing(0.5), ratelimit.WithEscalation(time.Minute, c.to))
				defer l.Close()
				r := local("a", ratelimit.FixedWindow, 2)
				r.Fail = c.rule
				fresh := func() (bool, error) {
					d, err := l.Acquire(t.Context(), r.For(time.Now().String()))
					return d.Allowed, err
				}
				passes := func(when string, want bool) {
					t.Helper()
					if got, err := fresh(); got != want || !want && !errors.Is(err, ratelimit.ErrUnavailable) {
						t.Errorf("%s: passes: %v, %v", when, got, err)
					}
				}
				for range 2 {
					store.Fail(errDown)
					passes("at first", c.rule != ratelimit.FailClosed)
					time.Sleep(time.Minute - time.Microsecond)
					passes("shortly before", c.rule != ratelimit.FailClosed)
					time.Sleep(time.Microsecond)
					passes("then", c.passes)
					time.Sleep(2 * time.Minute)
					passes("and later", c.passes)
					store.Fail(nil)
					passes("after the store's return", true)
				}
			})
		})
	}
}

func TestEscalationNeverPassesABadRule(t *testing.T) {
	t.Parallel()
	l, store := failing(ratelimit.WithEscalation(0, ratelimit.FailOpen))
	store.Fail(errDown)
	bad := rule("bad")
	bad.Limit = -1
	none := rule("none")
	if _, err := l.Admit(t.Context(), bad.For("k")); !errors.Is(err, ratelimit.ErrRule) {
		t.Errorf("a bad rule: %v", err)
	}
	if _, err := l.Admit(t.Context(), none.For("k").WithLimit(0)); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("a limit of 0: %v", err)
	}
	if _, err := l.Admit(t.Context(), none.For("k").WithCost(6)); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("a cost above the limit: %v", err)
	}
}

func TestEscalationIsLoggedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log := &records{}
		store := ratelimittest.NewFailingStore(memory.New())
		l := ratelimit.New(store, ratelimit.WithEscalation(time.Minute, ratelimit.FailClosed), ratelimit.WithLogger(slog.New(log)))
		defer l.Close()
		store.Fail(errDown)
		r := rule("a")
		for range 100 {
			l.Acquire(t.Context(), r.For("k"))
			time.Sleep(time.Second)
		}
		const want = "ERROR rate limit store down for too long, all calls are refused down=1m0s error=connection refused"
		var got []string
		for _, line := range log.drain() {
			if strings.Contains(line, "too long") {
				got = append(got, line)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("logged %q, want %q once", got, want)
		}
	})
}
