package burst

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
)

func limiterAt(t *testing.T, addr string, failure ratelimit.Failure) *ratelimit.Limiter {
	client := redis.NewClient(&redis.Options{Addr: addr})
	limiter := ratelimit.New(redisstore.New(client), ratelimit.WithFailure(failure), ratelimit.WithTimeout(200*time.Millisecond),
		ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { limiter.Close(); client.Close() })
	return limiter
}

func TestServerKilled(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	open := NewRateLimitedGate(&Gate{}, limiterAt(t, server.Addr(), ratelimit.FailOpen))
	closed := NewRateLimitedGate(&Gate{}, limiterAt(t, server.Addr(), ratelimit.FailClosed))
	for _, gate := range []*RateLimitedGate{open, closed} {
		if err := gate.Fixed(t.Context(), "before"); err != nil {
			t.Fatal(err)
		}
	}
	server.Kill()
	for range 20 {
		began := time.Now()
		if err := open.Fixed(t.Context(), "after"); err != nil {
			t.Errorf("fail open: %v", err)
		}
		if err := closed.Fixed(t.Context(), "after"); !errors.Is(err, ratelimit.ErrUnavailable) {
			t.Errorf("fail closed: %v", err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("two calls took %v", took)
		}
	}
}

func TestProgramStartsWhileTheServerIsDown(t *testing.T) {
	t.Parallel()
	server, err := redistest.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	limiter := limiterAt(t, server.Addr(), ratelimit.FailClosed)
	gate := NewRateLimitedGate(&Gate{}, limiter)
	if err := gate.Fixed(t.Context(), "crowd"); !errors.Is(err, ratelimit.ErrUnavailable) {
		t.Fatalf("while it is down: %v", err)
	}
	if err := limiter.Ready(t.Context()); err == nil {
		t.Error("Ready says nothing of a server that is down")
	}
	if err := server.Up(); err != nil {
		t.Fatal(err)
	}
	if !eventually(10*time.Second, func() bool { return gate.Fixed(t.Context(), "crowd") == nil }) {
		t.Error("it does not work after the server came up")
	}
	if err := limiter.Ready(t.Context()); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

func eventually(within time.Duration, ok func() bool) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}
