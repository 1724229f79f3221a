package burst

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
)

// onEveryStore runs test with a store in memory and one on a real server.
func onEveryStore(t *testing.T, test func(*testing.T, ratelimit.Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, memory.New())
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		server := redistest.Start(t)
		client := redis.NewClient(&redis.Options{Addr: server.Addr(), PoolSize: 20})
		t.Cleanup(func() { client.Close() })
		test(t, redisstore.New(client))
	})
}

func newGate(t *testing.T, store ratelimit.Store) (*RateLimitedGate, *Gate) {
	limiter := ratelimit.New(store, ratelimit.WithTimeout(time.Minute), ratelimit.WithFailure(ratelimit.FailClosed),
		ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { limiter.Close() })
	gate := &Gate{}
	return NewRateLimitedGate(gate, limiter), gate
}

// run calls from 50 goroutines, 200 times each, and returns how many passed.
func run(t *testing.T, call func() error) int64 {
	var passed atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 200 {
				switch err := call(); {
				case err == nil:
					passed.Add(1)
				case !errors.Is(err, ratelimit.ErrLimited):
					t.Errorf("neither passed nor limited: %v", err)
				}
			}
		})
	}
	wg.Wait()
	return passed.Load()
}

func TestExactlyTheLimitPasses(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, store ratelimit.Store) {
		limited, gate := newGate(t, store)
		for name, call := range map[string]func(context.Context, string) error{"fixed": limited.Fixed, "sliding": limited.Sliding} {
			for round := range 3 {
				before := gate.passed.Load()
				passed := run(t, func() error { return call(t.Context(), fmt.Sprint(name, round)) })
				if inside := gate.passed.Load() - before; passed != 1000 || inside != 1000 {
					t.Errorf("%s, round %d: %d passed and %d reached the method, want 1000", name, round, passed, inside)
				}
			}
		}
	})
}

// clocked is a store that notes when it let calls pass.
type clocked struct {
	ratelimit.Store
	mu     sync.Mutex
	passed []int64
}

func (c *clocked) Do(ctx context.Context, b *ratelimit.Batch) error {
	err := c.Store.Do(ctx, b)
	if err == nil && b.Allowed {
		c.mu.Lock()
		c.passed = append(c.passed, b.Time)
		c.mu.Unlock()
	}
	return err
}

func TestNoTwoSecondsHoldMoreThanTheLimit(t *testing.T) {
	t.Parallel()
	onEveryStore(t, func(t *testing.T, store ratelimit.Store) {
		times := &clocked{Store: store}
		limited, _ := newGate(t, times)
		hammer(t, 6*time.Second, func() error { return limited.Edge(t.Context(), "crowd") })

		slices.Sort(times.passed)
		if len(times.passed) <= 200 {
			t.Fatalf("only %d calls passed in six seconds", len(times.passed))
		}
		for i := 100; i < len(times.passed); i++ {
			if span := times.passed[i] - times.passed[i-100]; span < 2_000_000 {
				t.Fatalf("calls %d to %d, 101 of them, passed within %dµs", i-100, i, span)
			}
		}
	})
}

// hammer calls from 8 goroutines until the time is over, a little at random
// apart so that windows neither start nor fill at once.
func hammer(t *testing.T, d time.Duration, call func() error) {
	var wg sync.WaitGroup
	end := time.Now().Add(d)
	for g := range 8 {
		wg.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				if err := call(); err != nil && !errors.Is(err, ratelimit.ErrLimited) {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration((g*7+i*13)%40) * time.Millisecond)
			}
		})
	}
	wg.Wait()
}
