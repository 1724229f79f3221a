package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var many = rule("many", ratelimit.FixedWindow, 1<<30, time.Hour)

// trips is a hook that counts round trips and what they carry.
type trips struct{ trips, calls, most atomic.Int64 }

func (h *trips) count(cmds ...redis.Cmder) {
	n := 0
	for _, cmd := range cmds {
		if cmd.Name() == "evalsha" {
			n++
		}
	}
	if n == 0 {
		return // connecting
	}
	h.trips.Add(1)
	h.calls.Add(int64(n))
	for most := h.most.Load(); int64(n) > most && !h.most.CompareAndSwap(most, int64(n)); most = h.most.Load() {
	}
}

func (h *trips) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h *trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { h.count(cmd); return next(ctx, cmd) }
}

func (h *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error { h.count(cmds...); return next(ctx, cmds) }
}

func TestDecisionsShareRoundTrips(t *testing.T) {
	for _, c := range []struct{ batching, most, mean int }{{64, 64, 8}, {8, 8, 4}, {1, 1, 1}, {0, 1, 1}} {
		t.Run(fmt.Sprint("batches of ", c.batching), func(t *testing.T) {
			server := redistest.Start(t)
			client := server.Client(t)
			s := open(t, client, WithBatching(c.batching))
			must(t, s, item(many, "k"))
			var h trips
			client.AddHook(&h)
			const callers, calls = 200, 20
			var group sync.WaitGroup
			for i := range callers {
				group.Go(func() {
					for range calls {
						must(t, s, item(many, strconv.Itoa(i)))
					}
				})
			}
			group.Wait()
			n, trips := h.calls.Load(), h.trips.Load()
			if n != callers*calls {
				t.Errorf("%d commands for %d decisions", n, callers*calls)
			}
			if h.most.Load() > int64(c.most) || n/trips < int64(c.mean) {
				t.Errorf("%d round trips of %d at most for %d decisions", trips, h.most.Load(), n)
			}
		})
	}
}

// together has calls sent in one batch, and returns what waits for each.
func together(s *Store, within time.Duration, items ...ratelimit.Item) []func(context.Context) error {
	var waits []func(context.Context) error
	for _, c := range queued(s, within, items...) {
		waits = append(waits, func(ctx context.Context) error { return await(ctx, c) })
	}
	return waits
}

func queued(s *Store, within time.Duration, items ...ratelimit.Item) (all []*call) {
	var batches []*ratelimit.Batch
	for _, it := range items {
		batches = append(batches, batch(within, it))
	}
	return queuedAll(s, within, batches...)
}

func queuedAll(s *Store, within time.Duration, batches ...*ratelimit.Batch) (all []*call) {
	l := s.dispatcher.whole
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range batches {
		c := s.pack(b, s.moment())
		c.ctx, c.deadline = context.Background(), time.Now().Add(within)
		c.timer.Reset(within)
		c.lane.Store(l)
		l.queue.push(c)
		all = append(all, c)
	}
	l.call()
	return all
}

func same(n int, it ratelimit.Item) []ratelimit.Item {
	var all []ratelimit.Item
	for range n {
		all = append(all, it)
	}
	return all
}

// unlike is n items in buckets of their own.
func unlike(n int, r *ratelimit.Rule) []ratelimit.Item {
	var all []ratelimit.Item
	for i := range n {
		all = append(all, item(r, strconv.Itoa(i)))
	}
	return all
}

// TestBatchWithoutScripts has a batch of which the server knows some scripts.
func TestBatchWithoutScripts(t *testing.T) {
	known, unknown := rule("known", ratelimit.TokenBucket, 50, time.Hour), rule("unknown", ratelimit.SlidingWindow, 50, time.Hour)
	for name, c := range map[string]struct {
		items          func(*ratelimit.Rule) []ratelimit.Item
		digests, texts int64
		left           int64 // in the first bucket, after one more call
	}{
		"unlike": {func(r *ratelimit.Rule) []ratelimit.Item { return unlike(10, r) }, 20, 10, 48},
		"alike":  {func(r *ratelimit.Rule) []ratelimit.Item { return same(10, item(r, "0")) }, 2, 2, 39},
	} {
		t.Run(name, func(t *testing.T) {
			server, client, s := standalone(t)
			client.ScriptFlush(t.Context())
			must(t, s, item(known, "else"))
			server.ResetStats(t)
			for _, wait := range together(s, time.Minute, append(c.items(known), c.items(unknown)...)...) {
				if err := wait(t.Context()); err != nil {
					t.Error(err)
				}
			}
			stats := server.Stats(t)
			if stats["evalsha"].Calls != c.digests || stats["eval"].Calls != c.texts {
				t.Errorf("20 calls were sent as %d digests and %d texts, want %d and %d",
					stats["evalsha"].Calls, stats["eval"].Calls, c.digests, c.texts)
			}
			for _, r := range []*ratelimit.Rule{known, unknown} {
				if left := must(t, s, item(r, "0")).Items[0].Remaining; left != c.left {
					t.Errorf("%s: %d are left, want %d", r.Name, left, c.left)
				}
			}
		})
	}
}

// cutConn loses its connection after so many bytes of answers.
type cutConn struct {
	net.Conn
	left *atomic.Int64 // below 0 for any number
}

func (c cutConn) Read(b []byte) (int, error) {
	left := c.left.Load()
	if left == 0 {
		c.Conn.Close()
		return 0, net.ErrClosed
	}
	if left > 0 && int64(len(b)) > left {
		b = b[:left]
	}
	n, err := c.Conn.Read(b)
	if left > 0 {
		c.left.Add(-int64(n))
	}
	return n, err
}

// TestConnectionBreaksWithinABatch counts the answers that have come, and sends
// nothing again.
func TestConnectionBreaksWithinABatch(t *testing.T) {
	server := redistest.Start(t)
	var left atomic.Int64
	left.Store(-1)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := net.Dial(network, addr)
		return cutConn{c, &left}, err
	}})
	t.Cleanup(func() { client.Close() })
	s := open(t, client)
	must(t, s, item(many, "k"))
	for _, wait := range together(s, time.Minute, unlike(2, many)...) { // connects
		if err := wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	server.ResetStats(t)
	const calls, answer = 10, len("$40\r\n\r\n") + 40
	left.Store(3*int64(answer) + 5)
	failed := 0
	for i, wait := range together(s, time.Minute, unlike(calls, many)...) {
		if err := wait(t.Context()); err != nil {
			failed++
		} else if i >= 3 {
			t.Errorf("call %d has an answer", i)
		}
	}
	left.Store(-1)
	if failed != calls-3 {
		t.Errorf("%d of %d calls failed after three answers", failed, calls)
	}
	if n := server.Stats(t)["evalsha"].Calls; n != calls {
		t.Errorf("the server ran %d commands for %d calls", n, calls)
	}
	must(t, s, item(many, "k"))
}

// TestStuckBatches has the usual batches stuck on connections that answer no
// more: those behind them go by others.
func TestStuckBatches(t *testing.T) {
	server := redistest.Start(t)
	var stuck atomic.Int64 // connections yet to be opened that get no answers
	stuck.Store(usualBatches)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), ReadTimeout: 5 * time.Second, Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if stuck.Add(-1) >= 0 {
			return mute(t, network), nil
		}
		return net.Dial(network, addr)
	}})
	t.Cleanup(func() { client.Close() })
	s := open(t, client)
	var group sync.WaitGroup
	for range usualBatches {
		waits := together(s, 300*time.Millisecond, item(many, "k"))
		eventually(t, "a batch in flight", func() bool { return s.dispatcher.whole.waiting() == 0 })
		group.Go(func() {
			if err := waits[0](t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("a call that is stuck: %v", err)
			}
		})
	}
	start := time.Now()
	must(t, s, item(many, "k"))
	if took := time.Since(start); took > time.Second {
		t.Errorf("a call behind them took %v", took)
	}
	group.Wait()
	client.Close()
}

// TestFurtherBatchesAreForTheTimeBeing has calls go out one by one because the
// server is slow, and then be asked for as fast as can be: they share as few round
// trips as before.
func TestFurtherBatchesAreForTheTimeBeing(t *testing.T) {
	server, client, s := standalone(t)
	must(t, s, item(many, "k"))
	server.Freeze(t)
	l := s.dispatcher.whole
	var slow []func(context.Context) error
	for range 10 {
		slow = append(slow, together(s, time.Minute, item(many, "k"))...)
		eventually(t, "one more batch in flight", func() bool { return l.waiting() == 0 })
	}
	server.Thaw(t)
	for i, wait := range slow {
		if err := wait(t.Context()); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	var h trips
	client.AddHook(&h)
	var group sync.WaitGroup
	for i := range 48 {
		group.Go(func() {
			for range 100 {
				must(t, s, item(many, strconv.Itoa(i)))
			}
		})
	}
	group.Wait()
	if mean := h.calls.Load() / h.trips.Load(); mean < 10 {
		t.Errorf("48 callers share round trips by %d", mean)
	}
}

// mute returns a connection on which nothing ever comes.
func mute(t *testing.T, network string) net.Conn {
	l, err := net.Listen(network, "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c, err := net.Dial(network, l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func (l *lane) waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queue.len
}

// TestLeavingABatch has a caller hang up while its batch is in flight.
func TestLeavingABatch(t *testing.T) {
	server, _, s := standalone(t)
	must(t, s, item(five, "k"))
	server.Freeze(t)
	waits := together(s, 20*time.Second, same(3, item(five, "k"))...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := waits[1](ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	server.Thaw(t)
	for _, i := range []int{0, 2} {
		if err := waits[i](t.Context()); err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if n := endedConnections(t, server); n > 2 {
		t.Errorf("%d connections have ended", n)
	}
}

// slowDial returns a client whose first connection waits for go on.
func slowDial(t *testing.T, server *redistest.Server) (client *redis.Client, dialing, goOn chan struct{}) {
	dialing, goOn = make(chan struct{}, 10), make(chan struct{})
	client = redis.NewClient(&redis.Options{Addr: server.Addr(), PoolSize: 1, Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialing <- struct{}{}
		<-goOn
		return net.Dial(network, addr)
	}})
	t.Cleanup(func() { client.Close() })
	return client, dialing, goOn
}

// TestLeavingBeforeSending tests that a call is not sent whose caller leaves
// while it is queued, or while its batch waits for a connection.
func TestLeavingBeforeSending(t *testing.T) {
	server := redistest.Start(t)
	client, dialing, goOn := slowDial(t, server)
	s := open(t, client)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	waits := together(s, 20*time.Second, same(4, item(five, "k"))...)
	<-dialing
	for _, i := range []int{0, 2} {
		if err := waits[i](ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if err := s.Do(t.Context(), batch(10*time.Millisecond, item(five, "k"))); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errBusy) {
		t.Errorf("a call that was queued: %v", err)
	}
	close(goOn)
	for _, i := range []int{1, 3} {
		if err := waits[i](t.Context()); err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if left := must(t, s, item(five, "k")).Items[0].Remaining; left != 2 {
		t.Errorf("three calls of five have left %d", left)
	}
}

func TestAllLeaveBeforeSending(t *testing.T) {
	server := redistest.Start(t)
	client, dialing, goOn := slowDial(t, server)
	s := open(t, client)
	for i := range 3 {
		waits := together(s, 10*time.Millisecond, same(2, item(five, "k"))...)
		if i == 0 {
			<-dialing
		}
		for _, wait := range waits {
			if err := wait(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		}
	}
	close(goOn)
	if left := must(t, s, item(five, "k")).Items[0].Remaining; left != 4 {
		t.Errorf("one call of five has left %d", left)
	}
}

// TestCloseWithQueuedCalls refuses what is queued and waits for what is not.
func TestCloseWithQueuedCalls(t *testing.T) {
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), PoolSize: 1})
	t.Cleanup(func() { client.Close() })
	s := open(t, client)
	must(t, s, item(five, "k"))
	server.Freeze(t)
	flying := together(s, 20*time.Second, item(five, "k"))
	eventually(t, "a batch in flight", func() bool { return s.dispatcher.whole.waiting() == 0 })
	queued := together(s, 20*time.Second, same(3, item(five, "k"))...)
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	for _, wait := range queued {
		if err := wait(t.Context()); !errors.Is(err, errClosed) {
			t.Errorf("a queued call: %v", err)
		}
	}
	server.Thaw(t)
	if err := errors.Join(flying[0](t.Context()), <-closed); err != nil {
		t.Error(err)
	}
}

// TestSlowNode freezes one server of a ring under load.
func TestSlowNode(t *testing.T) {
	addrs := map[string]string{}
	var servers []*redistest.Server
	for i := range 2 {
		servers = append(servers, redistest.Start(t))
		addrs[fmt.Sprint(i)] = servers[i].Addr()
	}
	client := redis.NewRing(&redis.RingOptions{Addrs: addrs, HeartbeatFrequency: time.Hour})
	t.Cleanup(func() { client.Close() })
	s := open(t, client)
	keys := map[string]string{} // one on each server, by its address
	for i := 0; len(keys) < 2; i++ {
		it := item(many, fmt.Sprint(i))
		must(t, s, it)
		node, err := client.GetShardClientForKey(s.key(&it))
		if err != nil {
			t.Fatal(err)
		}
		keys[node.Options().Addr] = it.Key
	}
	servers[0].Freeze(t)
	defer servers[0].Thaw(t)
	var group sync.WaitGroup
	for range 300 {
		group.Go(func() {
			if err := s.Do(t.Context(), batch(300*time.Millisecond, item(many, keys[servers[0].Addr()]))); err == nil {
				t.Error("a frozen server has answered")
			}
		})
	}
	for range 50 {
		start := time.Now()
		must(t, s, item(many, keys[servers[1].Addr()]))
		if took := time.Since(start); took > 250*time.Millisecond {
			t.Errorf("the other server's decision took %v", took)
		}
	}
	group.Wait()
}

func TestIdleSendersEnd(t *testing.T) {
	_, _, s := standalone(t)
	must(t, s, item(many, "k"))
	l := s.dispatcher.whole
	senders := func(end bool) int {
		l.mu.Lock()
		defer l.mu.Unlock()
		if end {
			l.moved = l.moved.Add(-idleTime)
		}
		return l.senders
	}
	eventually(t, "idle senders to end", func() bool { n := senders(true); l.retire(); return n == 0 })
	must(t, s, item(many, "k"))
	l.retire()
	if senders(false) == 0 {
		t.Error("a sender has ended that was at work of late")
	}
}
