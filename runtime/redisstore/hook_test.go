package redisstore

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// around is a hook of single commands.
type around func(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error

func (around) DialHook(next redis.DialHook) redis.DialHook { return next }

func (h around) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { return h(ctx, cmd, next) }
}

func (around) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// watch reads cmd all the time that it takes, from another goroutine.
func watch(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
	var over atomic.Bool
	var group sync.WaitGroup
	group.Go(func() {
		for ; !over.Load(); time.Sleep(10 * time.Microsecond) {
			_ = cmd.Args()
		}
	})
	defer group.Wait()
	defer over.Store(true)
	return send(ctx, cmd)
}

// TestHooksReadCommandsAtAnyTime has hooks read commands while they are in flight
// and when they are long over, while callers come and leave. What is charged is
// what was asked for.
func TestHooksReadCommandsAtAnyTime(t *testing.T) {
	for name, late := range map[string]bool{"in flight": false, "over": true} {
		t.Run(name, func(t *testing.T) {
			_, client, s := standalone(t)
			over := make(chan redis.Cmder, 100)
			client.AddHook(around(func(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
				if !late {
					return watch(ctx, cmd, send)
				}
				defer func() {
					select {
					case over <- cmd:
					default:
					}
				}()
				return send(ctx, cmd)
			}))
			var readers sync.WaitGroup
			end := make(chan struct{})
			readers.Go(func() {
				for {
					select {
					case cmd := <-over:
						_ = cmd.Args()
					case <-end:
						return
					}
				}
			})
			comeAndLeave(t, s)
			close(end)
			readers.Wait()
		})
	}
}

func comeAndLeave(t *testing.T, s *Store) {
	t.Helper()
	r := rule("r", ratelimit.FixedWindow, 1<<40, 1000*time.Hour)
	var admitted, left atomic.Int64
	var seen sync.Map
	var group sync.WaitGroup
	for i := range 30 {
		random := rand.New(rand.NewPCG(1, uint64(i)))
		group.Go(func() {
			for range 50 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(50+random.IntN(2000))*time.Microsecond)
				b := batch(10*time.Second, item(r, "k"))
				if err := s.Do(ctx, b); err != nil {
					left.Add(1)
				} else if _, twice := seen.LoadOrStore(b.Items[0].Remaining, true); !twice {
					admitted.Add(1)
				} else {
					t.Errorf("%d are left twice", b.Items[0].Remaining)
				}
				cancel()
			}
		})
	}
	group.Wait()
	charged := 1<<40 - must(t, s, item(r, "k")).Items[0].Remaining - 1
	if charged < admitted.Load() || charged > admitted.Load()+left.Load() {
		t.Errorf("charged %d, admitted %d, left %d", charged, admitted.Load(), left.Load())
	}
}

// TestPanicOfALoneCaller has a hook panic in the goroutine of a caller that sends
// its command itself, who recovers.
func TestPanicOfALoneCaller(t *testing.T) {
	_, s, sent := lone(t)
	var panics atomic.Bool
	panics.Store(true)
	s.client.(*redis.Client).AddHook(around(func(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
		if _, alone := ctx.(*solo); alone && panics.Load() {
			panic("a hook")
		}
		return send(ctx, cmd)
	}))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		s.Do(t.Context(), batch(soon, item(many, "k")))
	}()
	panics.Store(false)
	rested(t, s)
	sent.Store(0)
	if err := s.Do(t.Context(), batch(soon, item(many, "k"))); err != nil || sent.Load() != 1 {
		t.Errorf("%v, %d sent by their callers", err, sent.Load())
	}
}

// TestCloseBesideALoneCaller closes the store while the command of a caller that
// has sent it itself is about to be asked again.
func TestCloseBesideALoneCaller(t *testing.T) {
	server := redistest.Start(t)
	for range 20 {
		client := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
		s := New(client)
		rested(t, s)
		sent, goOn := make(chan bool), make(chan bool)
		client.AddHook(around(func(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
			if _, alone := ctx.(*solo); !alone {
				return send(ctx, cmd)
			}
			sent <- true
			<-goOn
			err := early("LOADING it says")
			cmd.SetErr(err)
			return err
		}))
		var group sync.WaitGroup
		group.Go(func() { s.Do(context.Background(), batch(soon, item(many, "k"))) })
		<-sent
		group.Go(func() { closeStore(t, s) })
		eventually(t, "closed", func() bool { return s.Ready(t.Context()) != nil })
		close(goOn)
		group.Wait()
		client.Close()
	}
}

// early is an answer of a server.
type early string

func (e early) Error() string { return string(e) }

func (early) RedisError() {}

// TestLoneCallerLeavesBeforeTheWrite has a caller leave who waits for a connection
// to send its command itself.
func TestLoneCallerLeavesBeforeTheWrite(t *testing.T) {
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
	t.Cleanup(func() { client.Close() })
	s := open(t, client)
	must(t, s, item(five, "other"))
	rested(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	client.AddHook(around(func(c context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
		if _, alone := c.(*solo); alone {
			cancel()
		}
		return send(c, cmd)
	}))
	if err := s.Do(ctx, batch(soon, item(five, "k"))); err != context.Canceled {
		t.Errorf("got %v", err)
	}
	if left := must(t, s, item(five, "k")).Items[0].Remaining; left != 4 {
		t.Errorf("one call of five has left %d", left)
	}
}

// TestPausesAreOfOneCallEach has two calls of a flight asked again, of which one
// has been asked again before.
func TestPausesAreOfOneCallEach(t *testing.T) {
	_, _, s := standalone(t)
	must(t, s, item(many, "k"))
	soonest := time.Duration(math.MaxInt64)
	for range 10 { // a machine that stops meanwhile has the first one wait as well
		f := newFlight()
		var calls []*call
		for i, it := range unlike(2, many) {
			c := s.pack(batch(time.Minute, it), s.moment())
			c.ctx, c.deadline = context.Background(), time.Now().Add(time.Minute)
			c.timer.Reset(time.Minute)
			c.pause = time.Duration(i) * lastPause
			calls = append(calls, c)
			f.board(c)
			f.bundles[i].command(f.errand, false)
			f.bundles[i].err = early("LOADING it says")
		}
		start := time.Now()
		f.land(s.dispatcher.whole)
		for i, c := range calls {
			if err := await(t.Context(), c); err != nil {
				t.Error(err)
			}
			if i == 0 {
				soonest = min(soonest, time.Since(start))
			}
		}
	}
	if soonest >= lastPause {
		t.Errorf("a call that had to wait for %v was asked again after %v", firstPause, soonest)
	}
}
