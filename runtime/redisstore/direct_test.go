package redisstore

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// soon is a deadline with which a caller that is alone may send its command
// itself.
const soon = 150 * time.Millisecond

// solos is a hook that counts the commands that callers send themselves.
type solos struct{ atomic.Int64 }

func (h *solos) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *solos) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if _, ok := ctx.(*solo); ok {
			h.Add(1)
		}
		return next(ctx, cmd)
	}
}

func (h *solos) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// lone is a store whose callers may send their commands themselves.
func lone(t *testing.T) (*redistest.Server, *Store, *solos) {
	t.Helper()
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
	t.Cleanup(func() { client.Close() })
	var h solos
	client.AddHook(&h)
	s := open(t, client)
	rested(t, s)
	return server, s, &h
}

// rested has the next caller of s send its command itself.
func rested(t *testing.T, s *Store) {
	t.Helper()
	l := s.dispatcher.whole
	eventually(t, "a quick answer", func() bool {
		must(t, s, item(many, "k"))
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.direct.calm && l.idle == l.senders
	})
}

func TestLoneCallers(t *testing.T) {
	_, s, h := lone(t)
	for _, c := range []struct {
		name   string
		within time.Duration
		alone  int64
	}{
		{"some time", soon, 1},
		{"too little time to cut a connection for", shortest / 2, 0},
		{"so much time that its context may end before", time.Minute, 0},
	} {
		rested(t, s)
		h.Store(0)
		_ = s.Do(t.Context(), batch(c.within, item(many, "k")))
		if h.Load() != c.alone {
			t.Errorf("with %s %d callers sent their commands themselves, want %d", c.name, h.Load(), c.alone)
		}
	}
	_, _, unprompt := standalone(t)
	if unprompt.dispatcher.whole.prompt {
		t.Error("a client that has not to keep deadlines is trusted to")
	}
}

func TestLoneCallerOfASilentServer(t *testing.T) {
	server, s, h := lone(t)
	before := endedConnections(t, server)
	server.Freeze(t)
	for range 5 {
		start := time.Now()
		err := s.Do(t.Context(), batch(soon, item(many, "k")))
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > soon+time.Second {
			t.Errorf("after %v: %v", took, err)
		}
	}
	if n := h.Load(); n != 1 {
		t.Errorf("%d callers sent their commands themselves, want only the first", n)
	}
	server.Thaw(t)
	rested(t, s)
	if n := endedConnections(t, server) - before; n > 1+3 { // two have asked how many, one why there is no answer
		t.Errorf("%d connections ended, want that of the first", n-3)
	}
}

func TestLoneCallerWithoutScript(t *testing.T) {
	server, s, h := lone(t)
	s.client.ScriptFlush(t.Context())
	server.ResetStats(t)
	b := batch(soon, item(rule("flushed", ratelimit.FixedWindow, 5, time.Hour), "k"))
	if err := s.Do(t.Context(), b); err != nil || b.Items[0].Remaining != 4 || h.Load() != 1 {
		t.Errorf("%+v, %v, %d sent alone", b.Items, err, h.Load())
	}
	if stats := server.Stats(t); stats["eval"].Calls != 1 {
		t.Errorf("the text was sent %d times", stats["eval"].Calls)
	}
}

func TestLoneCallerWhoseContextEnds(t *testing.T) {
	server, s, h := lone(t)
	server.Freeze(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Millisecond, cancel)
	err := s.Do(ctx, batch(soon, item(many, "k")))
	if !errors.Is(err, context.Canceled) || h.Load() != 1 {
		t.Errorf("%v, %d sent alone", err, h.Load())
	}
	server.Thaw(t)
}

// TestLoneCallerAsksAgain has an answer that proves that nothing ran.
func TestLoneCallerAsksAgain(t *testing.T) {
	_, s, h := lone(t)
	ctx := context.Background()
	if err := s.client.ConfigSet(ctx, "replica-serve-stale-data", "no").Err(); err != nil {
		t.Fatal(err)
	}
	s.client.Do(ctx, "replicaof", "127.0.0.1", "1")
	err := s.Do(ctx, batch(soon, item(many, "k")))
	if !errors.Is(err, context.DeadlineExceeded) || !redis.HasErrorPrefix(errors.Unwrap(err), "MASTERDOWN") {
		t.Errorf("%v, want a late answer because of MASTERDOWN", err)
	}
	if h.Load() != 1 {
		t.Errorf("%d sent alone, want the first alone", h.Load())
	}
	s.client.Do(ctx, "replicaof", "no", "one")
	must(t, s, item(many, "k"))
}

func TestLoneCallerOfAClosedClient(t *testing.T) {
	_, s, h := lone(t)
	s.client.Close()
	if err := s.Do(t.Context(), batch(soon, item(many, "k"))); !errors.Is(err, redis.ErrClosed) || h.Load() != 1 {
		t.Errorf("%v, %d sent alone", err, h.Load())
	}
	closeStore(t, s)
	if err := s.Do(t.Context(), batch(soon, item(many, "k"))); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// TestLoneCallerWithoutConnection has callers with little time follow one with
// much: each leaves at its own deadline, and those after it are not concerned.
func TestLoneCallerWithoutConnection(t *testing.T) {
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true, PoolSize: 1})
	defer client.Close()
	var h solos
	client.AddHook(&h)
	s := open(t, client)
	const little = shortest * 3 / 2
	inTime := func() bool {
		rested(t, s)
		_ = s.Do(t.Context(), batch(longest-time.Millisecond, item(many, "k")))
		conn := client.Conn()
		defer conn.Close()
		if err := conn.Ping(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		h.Store(0)
		start := time.Now()
		if err := s.Do(t.Context(), batch(little, item(many, "k"))); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want a late answer", err)
		}
		return h.Load() == 1 && time.Since(start) < longest/2
	}
	for range 2 { // the second one after the alarm has rung
		eventually(t, "a caller that leaves on time", inTime)
	}
}

// TestAlarmRingsTwice has the alarm of an earlier caller ring so late that the
// deadline of the next one has passed as well, whose own alarm rings after it.
func TestAlarmRingsTwice(t *testing.T) {
	_, s, _ := lone(t)
	l := s.dispatcher.whole
	now := time.Now().Add(-time.Second)
	left := l.begin(now.Add(soon), now)
	if left == nil {
		t.Fatal("the caller may not send its command itself")
	}
	defer l.dispatcher.workers.Done()
	l.ring()
	<-left
	l.ring()
	l.end(true)
	if err := s.Do(t.Context(), batch(soon, item(many, "k"))); err != nil {
		t.Error(err)
	}
}
