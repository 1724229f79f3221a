package redisstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var five = rule("five", ratelimit.SlidingWindow, 5, time.Hour)

func clientOf(t testing.TB, addr string) *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { client.Close() })
	return client
}

// TestLostAnswerIsNotAskedAgain cuts the connection after the server has run
// the command, before the answer arrives.
func TestLostAnswerIsNotAskedAgain(t *testing.T) {
	for i, n := range []int{1, 3, 1, 3} {
		server := redistest.Start(t)
		proxy := redistest.NewProxy(t, server.Addr())
		s := open(t, clientOf(t, proxy.Addr()), WithBatching(batchings[i/2]))
		must(t, s, items(n)...)
		server.ResetStats(t)
		proxy.CutAfter("evalsha")
		if _, err := try(s, items(n)...); err == nil {
			t.Error("an answer came although the connection was cut")
		}
		if calls := server.Stats(t)["evalsha"].Calls; calls != 1 {
			t.Errorf("the server ran %d commands, want 1", calls)
		}
		if b := must(t, s, items(n)...); b.Items[0].Remaining != 0 {
			t.Errorf("three calls of three left %d", b.Items[0].Remaining)
		}
	}
}

// TestAnswersThatProveNothingRan are asked again within the deadline.
func TestAnswersThatProveNothingRan(t *testing.T) {
	for _, c := range []struct {
		name, option, value string
		answer              string
		cure                []any
	}{
		{"replica", "--replicaof", "127.0.0.1 1", "READONLY", []any{"REPLICAOF", "NO", "ONE"}},
		{"cluster", "--cluster-enabled", "yes", "CLUSTERDOWN", []any{"CLUSTER", "ADDSLOTSRANGE", "0", "16383"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := redistest.Start(t, c.option, c.value)
			client := server.Client(t)
			s := open(t, client)
			b := batch(60*time.Millisecond, item(five, "k"))
			if err := s.Do(t.Context(), b); err == nil || !strings.Contains(err.Error(), c.answer) {
				t.Fatalf("got %v", err)
			}
			cured := make(chan error)
			time.AfterFunc(20*time.Millisecond, func() { cured <- client.Do(context.Background(), c.cure...).Err() })
			b, err := try(s, item(five, "k"))
			if e := errors.Join(err, <-cured); e != nil {
				t.Fatal(e)
			}
			if b.Items[0].Remaining != 4 {
				t.Errorf("one call of five left %d", b.Items[0].Remaining)
			}
		})
	}
}

// TestFrozenServer stops the server's process.
func TestFrozenServer(t *testing.T) {
	for _, n := range batchings {
		t.Run(fmt.Sprint("batches of ", n), func(t *testing.T) { frozenServer(t, n) })
	}
}

func frozenServer(t *testing.T, n int) {
	const within = 50 * time.Millisecond
	server, client, s := standalone(t, WithBatching(n))
	warm(t, s)
	ended := endedConnections(t, server)
	goroutines := runtime.NumGoroutine()
	server.Freeze(t)
	var group sync.WaitGroup
	for range 200 {
		group.Go(func() {
			start := time.Now()
			err := s.Do(context.Background(), batch(within, item(five, "k")))
			if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took > within+time.Second {
				t.Errorf("after %v: %v", took, err)
			}
		})
	}
	group.Wait()
	// The client dials from goroutines of its own.
	if n := runtime.NumGoroutine() - goroutines; n > 2*client.Options().PoolSize {
		t.Errorf("%d goroutines more than before", n)
	}
	if n := s.dispatcher.whole.queue.len; n != 0 {
		t.Errorf("%d calls are queued whose callers have left", n)
	}
	server.Thaw(t)
	start := time.Now()
	must(t, s, item(five, "other"))
	if took := time.Since(start); took > time.Second {
		t.Errorf("the first decision afterwards took %v", took)
	}
	if n := endedConnections(t, server) - ended; n > 3 { // two have asked how many, one why there is no answer
		t.Errorf("the store has ended %d connections", n)
	}
}

// warm opens as many connections as there may be.
func warm(t *testing.T, s *Store) {
	var group sync.WaitGroup
	n := s.client.(*redis.Client).Options().PoolSize
	for range 2 {
		for range 10 * n {
			group.Go(func() { must(t, s, item(rule("warm", ratelimit.FixedWindow, 1, time.Hour), "k")) })
		}
		group.Wait()
	}
}

// endedConnections is how many there are no more, with those that ask for it.
func endedConnections(t *testing.T, server *redistest.Server) int {
	t.Helper()
	return statOf(t, server, "total_connections_received:") - statOf(t, server, "connected_clients:")
}

func TestEndedContext(t *testing.T) {
	server, _, s := standalone(t)
	must(t, s, item(five, "k"))
	server.Freeze(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	start := time.Now()
	err := s.Do(ctx, batch(10*time.Second, item(five, "k")))
	if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 5*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
	server.Thaw(t)
}

func TestServerComesLater(t *testing.T) {
	server, err := redistest.Reserve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	s := open(t, server.Client(t))
	if err := s.Do(t.Context(), batch(50*time.Millisecond, item(five, "k"))); err == nil {
		t.Fatal("a decision without a server")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Ready(ctx); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("Ready: %v", err)
	}
	if err := server.Up(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a decision", func() bool { _, err := try(s, item(five, "k")); return err == nil })
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

func TestKilledServer(t *testing.T) {
	server, _, s := standalone(t)
	must(t, s, item(five, "k"))
	server.Kill()
	for range 20 {
		start := time.Now()
		err := s.Do(t.Context(), batch(50*time.Millisecond, item(five, "k")))
		if took := time.Since(start); err == nil || took > 50*time.Millisecond+time.Second {
			t.Fatalf("after %v: %v", took, err)
		}
	}
	if err := server.Up(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a decision", func() bool { _, err := try(s, item(five, "k")); return err == nil })
}

// TestSlowConnect has a server whose handshake takes longer than a decision
// may: the connection must come about all the same.
func TestSlowConnect(t *testing.T) {
	proxy := redistest.NewProxy(t, redistest.Start(t).Addr())
	s := open(t, clientOf(t, proxy.Addr()))
	proxy.Delay(30 * time.Millisecond)
	eventually(t, "a decision", func() bool {
		return s.Do(t.Context(), batch(50*time.Millisecond, item(five, "k"))) == nil
	})
	if n := proxy.Accepted(); n > 5 {
		t.Errorf("%d connections for one caller", n)
	}
}

func TestReadyTellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"replica", []string{"--replicaof", "127.0.0.1 1"}, "READONLY"},
		{"password", []string{"--requirepass", "x"}, "NOAUTH"},
		{"full", []string{"--maxmemory", "1"}, "OOM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, redistest.Start(t, c.args...).Client(t))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := s.Ready(ctx); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestReadyWritesNothing(t *testing.T) {
	_, client, s := standalone(t)
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if keys := client.Keys(t.Context(), "*").Val(); len(keys) != 0 {
		t.Errorf("Ready has left %q", keys)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	s := New(client)
	warm(t, s)
	closeStore(t, s)
	closeStore(t, s)
	if _, err := try(s, item(five, "k")); !errors.Is(err, errClosed) {
		t.Errorf("Do after Close: %v", err)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("Ready after Close: %v", err)
	}
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Errorf("Close has closed the client: %v", err)
	}
	client.Close()
	for stack := range strings.SplitSeq(stacks(), "\n\n") {
		if strings.Contains(stack, "redisstore.(*lane)") {
			t.Errorf("Close has left\n%s", stack)
		}
	}
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

func TestShardedClientsNeedATag(t *testing.T) {
	for name, client := range map[string]redis.UniversalClient{
		"cluster": redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{"127.0.0.1:1"}}),
		"ring":    redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": "127.0.0.1:1"}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { client.Close() })
			s := open(t, client)
			one, two := item(five, "k"), item(five, "l")
			if _, err := try(s, one, two); !errors.Is(err, ratelimit.ErrRule) {
				t.Errorf("without tags: %v", err)
			}
			one.Tag, two.Tag = "a", "b"
			if _, err := try(s, one, two); !errors.Is(err, ratelimit.ErrRule) {
				t.Errorf("with different tags: %v", err)
			}
		})
	}
}

func TestNilClient(t *testing.T) {
	for name, client := range map[string]redis.UniversalClient{
		"nil": nil, "a nil client": (*redis.Client)(nil), "a nil cluster client": (*redis.ClusterClient)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			s := New(client)
			_, err := try(s, item(rule("nil", ratelimit.FixedWindow, 1, time.Minute), "k"))
			if !errors.Is(err, ratelimit.ErrRule) {
				t.Errorf("Do: %v, want ErrRule, which no policy lets pass", err)
			}
			if err := s.Ready(t.Context()); err == nil {
				t.Error("Ready finds nothing wrong")
			}
			closeStore(t, s)
		})
	}
}

// TestFewConnections tests that calls wait for a connection within their
// deadline, however few there are.
func TestFewConnections(t *testing.T) {
	server := redistest.Start(t)
	for name, o := range map[string]redis.Options{
		"pool of one": {PoolSize: 1},
		"few of many": {PoolSize: 10, MaxActiveConns: 2},
	} {
		t.Run(name, func(t *testing.T) {
			o.Addr = server.Addr()
			client := redis.NewClient(&o)
			t.Cleanup(func() { client.Close() })
			s := open(t, client, WithPrefix(name+":"))
			it := item(rule("few", ratelimit.FixedWindow, 5, time.Hour), "k")
			var passed atomic.Int64
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					for range 25 {
						b, err := try(s, it)
						if err != nil {
							t.Error(err)
						} else if b.Allowed {
							passed.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if passed.Load() != 5 {
				t.Errorf("%d passed, want 5", passed.Load())
			}
		})
	}
}

func TestRingDecidesInBatchesAndWithout(t *testing.T) {
	server := redistest.Start(t)
	for _, n := range []int{0, 1, 64} {
		client := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"one": server.Addr()}})
		t.Cleanup(func() { client.Close() })
		s := open(t, client, WithBatching(n), WithPrefix(fmt.Sprint("ring", n, ":")))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := s.Ready(ctx); err != nil {
			t.Errorf("batches of %d: Ready: %v", n, err)
		}
		must(t, s, item(five, "k"))
	}
}
