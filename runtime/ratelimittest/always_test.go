package ratelimittest_test

import (
	"errors"
	"testing"
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
