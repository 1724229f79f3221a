package faulttest

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
)

// BenchmarkSlowestCall has a server hang and measures by how much the slowest of
// many calls exceeds the deadline, beside a bare timer in as many goroutines.
func BenchmarkSlowestCall(b *testing.B) {
	server := redistest.Start(b)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), PoolSize: poolSize})
	defer client.Close()
	store := redisstore.New(client)
	defer store.Close()
	rule := &ratelimit.Rule{Name: "slow", Limit: wideLimit, Window: time.Hour}
	limiter := func() *ratelimit.Limiter {
		return ratelimit.New(store, ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	}
	for range 2 * callers {
		limiter().Acquire(b.Context(), rule.For("k"))
	}
	server.Freeze(b)
	defer server.Thaw(b)
	var calls, timers time.Duration
	for b.Loop() {
		l := limiter() // whose circuit is closed
		calls = max(calls, slowest(func() { l.Acquire(context.Background(), rule.For("k")) }))
		timers = max(timers, slowest(func() { <-time.NewTimer(timeout).C }))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64((calls-timeout).Microseconds())/1000, "ms-over-deadline")
	b.ReportMetric(float64((timers-timeout).Microseconds())/1000, "ms-over-timer")
}

// slowest is how long the slowest of many goroutines takes for f.
func slowest(f func()) (most time.Duration) {
	var mu sync.Mutex
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			began := time.Now()
			f()
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			most = max(most, took)
		})
	}
	group.Wait()
	return most
}
