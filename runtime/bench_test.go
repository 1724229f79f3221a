package ratelimit_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

// swift is a store that costs nothing: what is measured is the Limiter.
type swift struct{ allow, far bool }

func (s swift) Do(_ context.Context, b *ratelimit.Batch) error {
	b.Time, b.Allowed = 1_700_000_000_000_000, s.allow
	for i := range b.Items {
		item := &b.Items[i]
		item.Result = ratelimit.Result{Allowed: s.allow}
		if !s.allow {
			item.RetryAfter = item.Rule.Window
		}
	}
	return nil
}

func (s swift) Remote() bool              { return s.far }
func (swift) Ready(context.Context) error { return nil }
func (swift) Close() error                { return nil }

// BenchmarkLimiter is what a call takes of which the store takes next to
// nothing: one that it lets pass, beside the Limiter or behind a circuit, and
// one that the deny cache refuses. With "-memory" the store is a real one.
func BenchmarkLimiter(b *testing.B) {
	contexts := map[string]context.Context{"background": context.Background(), "deep": deepContext(b)}
	for name, store := range map[string]func() ratelimit.Store{
		"passes":  func() ratelimit.Store { return swift{allow: true} },
		"remote":  func() ratelimit.Store { return swift{allow: true, far: true} },
		"refused": func() ratelimit.Store { return swift{far: true} },
		"memory":  func() ratelimit.Store { return memory.New() },
	} {
		b.Run(name, func(b *testing.B) {
			for depth, ctx := range contexts {
				b.Run(depth+"/Acquire", func(b *testing.B) {
					benchmarkCall(b, store(), func(l *ratelimit.Limiter, r *ratelimit.Rule) { l.Acquire(ctx, r.For("user:10086")) })
				})
				b.Run(depth+"/Admit", func(b *testing.B) {
					benchmarkCall(b, store(), func(l *ratelimit.Limiter, r *ratelimit.Rule) { l.Admit(ctx, r.For("user:10086")) })
				})
			}
		})
	}
}

func benchmarkCall(b *testing.B, store ratelimit.Store, call func(*ratelimit.Limiter, *ratelimit.Rule)) {
	l := ratelimit.New(store, quiet(), ratelimit.WithDenyCache(time.Hour))
	defer l.Close()
	rules := make([]ratelimit.Rule, 20)
	for i := range rules {
		rules[i] = ratelimit.Rule{
			Name: "shop.Service.Method" + strconv.Itoa(i), Algorithm: ratelimit.FixedWindow, Limit: 1 << 50, Window: time.Hour,
		}
		for range 2 * len(rules) {
			call(l, &rules[i])
		}
	}
	b.ReportAllocs()
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			call(l, &rules[7])
		}
	})
}

// deepContext is one as a request of a server has.
func deepContext(b *testing.B) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	b.Cleanup(cancel)
	for i := range 8 {
		ctx = context.WithValue(ctx, i, i)
	}
	return ctx
}
