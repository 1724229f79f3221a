package ratelimit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// TestRefusalIsNotRepeatedBlindly has calls for a bucket whose refusal is
// remembered, which are to be decided otherwise.
func TestRefusalIsNotRepeatedBlindly(t *testing.T) {
	over, leave := context.WithCancel(context.Background())
	leave()
	type call struct {
		ctx  context.Context
		rule func(*ratelimit.Rule)
		err  error  // of the request
		want error  // nil: it passes
		text string // of the error
	}
	as := func(change func(*ratelimit.Rule)) call { return call{ctx: t.Context(), rule: change} }
	because := func(c call, want error, text string) call {
		c.want, c.text = want, text
		return c
	}
	for name, c := range map[string]call{
		"another rule of its name": because(as(func(r *ratelimit.Rule) { r.Window *= 2 }), ratelimit.ErrRule, "another window"),
		"an unknown policy":        because(as(func(r *ratelimit.Rule) { r.Fail = 77 }), ratelimit.ErrRule, "fail"),
		"a share that is missing":  because(as(func(r *ratelimit.Rule) { r.Fail = ratelimit.FailLocal }), ratelimit.ErrRule, "WithLocalShare"),
		"a broken key":             {t.Context(), func(*ratelimit.Rule) {}, errDown, nil, ""},
		"a context that has ended": {over, func(*ratelimit.Rule) {}, nil, context.Canceled, "ended"},
	} {
		t.Run(name, func(t *testing.T) {
			far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
				r := rule("a")
				exhaust(t, l, &r)
				c.rule(&r)
				d, err := l.Acquire(c.ctx, r.Try("k", c.err))
				if c.want == nil && (err != nil || !d.Allowed) || c.want != nil && (!errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text)) {
					t.Errorf("%+v, %v", d, err)
				}
			})
		})
	}
}

// exhaust has the bucket k of r refuse, which is remembered then.
func exhaust(t *testing.T, l *ratelimit.Limiter, r *ratelimit.Rule) {
	t.Helper()
	for {
		d, err := l.Acquire(t.Context(), r.For("k"))
		if err != nil {
			t.Fatal(err)
		}
		if !d.Allowed {
			return
		}
	}
}

func TestClosedLimiterRepeatsNoRefusal(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		exhaust(t, l, &r)
		l.Close()
		if _, err := l.Acquire(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
			t.Error(err)
		}
	})
}

// TestUnusualRulesAreRefusedLocally has rules that take the longer way to what is
// remembered.
func TestUnusualRulesAreRefusedLocally(t *testing.T) {
	for name, change := range map[string]func(*ratelimit.Rule){
		"private":     func(r *ratelimit.Rule) { r.Private = true },
		"fails local": func(r *ratelimit.Rule) { r.Fail = ratelimit.FailLocal },
	} {
		t.Run(name, func(t *testing.T) {
			far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
				r := rule("a")
				change(&r)
				exhaust(t, l, &r)
				if asks(store, func() {
					d, err := l.Acquire(t.Context(), r.For("k"))
					if err != nil || d.Allowed || (d.Key == "k") == r.Private {
						t.Errorf("%+v, %v", d, err)
					}
				}) {
					t.Error("the store was asked")
				}
			}, ratelimit.WithLocalShare(func() float64 { return 1 }))
		})
	}
}

// TestTaggedRules need a tag of each request: the bucket without would be another.
func TestTaggedRules(t *testing.T) {
	far(t, func(t *testing.T, l *ratelimit.Limiter, store *ratelimittest.FailingStore) {
		r := rule("a")
		r.Tag, r.Tagged, r.Limit = "user", true, 1
		for range 3 {
			if _, err := l.Acquire(t.Context(), r.For("k").WithTag("")); err != nil {
				t.Error(err)
			}
			d, err := l.Acquire(t.Context(), r.For("k"))
			if !errors.Is(err, ratelimit.ErrRule) || !strings.Contains(err.Error(), "WithTag") {
				t.Errorf("%+v, %v", d, err)
			}
		}
		if err := l.Reset(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrRule) {
			t.Errorf("Reset without a tag: %v", err)
		}
		if err := l.Reset(t.Context(), r.For("k").WithTag("")); err != nil {
			t.Error(err)
		}
		if d, err := l.Acquire(t.Context(), ratelimit.Request{Rule: &r, Key: "k", Tag: "zed"}); err != nil || !d.Allowed {
			t.Errorf("with a tag: %+v, %v", d, err)
		}
		untagged := r
		untagged.Tagged = false
		if _, err := l.Acquire(t.Context(), untagged.For("k")); !errors.Is(err, ratelimit.ErrRule) {
			t.Errorf("another rule of the name: %v", err)
		}
	})
}
