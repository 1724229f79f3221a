package faulttest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestLostData has the server lose what it knew while calls are made. Buckets
// start afresh, so that at most one more limit passes, and nothing else happens.
func TestLostData(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		lose func(*rig)
		most int64 // calls that pass of the hot key
		down bool  // the server is away meanwhile
	}{
		{name: "FLUSHALL", lose: func(r *rig) { r.admin("FLUSHALL") }, most: 2 * hotLimit},
		{name: "DEL", lose: func(r *rig) { r.admin("DEL", hotKey) }, most: 2 * hotLimit},
		{name: "restart", lose: restart, most: 2 * hotLimit, down: true},
		{name: "restart with AOF", args: []string{"--appendonly", "yes", "--appendfsync", "always"}, lose: restart, most: hotLimit, down: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			deadline := 10 * time.Second
			if c.down {
				deadline = timeout
			}
			r := newRig(t, fault{args: c.args}, options{batch: 64},
				ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithTimeout(deadline))
			p := policies[1]
			crowd := crowd{limiter: r.limiter, hot: p.requests("hot", hotLimit), wide: p.requests("wide", wideLimit)}
			await(t, "Ready", func() bool { return r.limiter.Ready(t.Context()) == nil })
			crowd.begin()
			for range 2 {
				if _, ok := crowd.settled(150*time.Millisecond, 10*time.Second); !ok {
					t.Fatal("the store does not answer")
				}
				if c.lose != nil {
					c.lose(r)
				}
				c.lose = nil
			}
			time.Sleep(100 * time.Millisecond)
			var hot, lost int64 // which may have been charged
			for _, one := range crowd.end() {
				switch {
				case one.hot && one.outcome == passed:
					hot++
				case one.hot && !one.outcome.decided():
					lost++
				}
				if !one.outcome.decided() && !c.down {
					t.Fatalf("a call ended so: %v, %v", one.outcome, one.err)
				}
			}
			if hot > c.most || hot+lost < hotLimit {
				t.Errorf("%d calls passed and %d had no answer, want %d to %d", hot, lost, hotLimit, c.most)
			}
			r.close()
		})
	}
}

func restart(r *rig) {
	r.server.Kill()
	r.up()
}

// TestRefundOfWhatIsLost gives back to a bucket that is as if never used: that
// is no credit.
func TestRefundOfWhatIsLost(t *testing.T) {
	r := newRig(t, fault{}, options{batch: 64})
	defer r.close()
	for _, a := range algorithms {
		rule := fewOf(a)
		var taken []ratelimit.Decision
		for range 3 {
			d, err := r.limiter.Acquire(t.Context(), rule.For("k"))
			if err != nil || !d.Allowed || d.Degraded {
				t.Fatal(d, err)
			}
			taken = append(taken, d)
		}
		r.admin("FLUSHALL")
		for _, d := range taken {
			if err := r.limiter.Refund(t.Context(), d); err != nil {
				t.Errorf("%v: %v", a, err)
			}
		}
		if n := r.left(rule.For("k")); n != few {
			t.Errorf("%v: %d are left, want %d", a, n, few)
		}
	}
}

// TestEviction has the server throw buckets away for others: nothing fails.
func TestEviction(t *testing.T) {
	for _, policy := range []string{"allkeys-lru", "volatile-ttl", "allkeys-random"} {
		t.Run(policy, func(t *testing.T) {
			r := newRig(t, fault{args: []string{"--maxmemory", "2mb", "--maxmemory-policy", policy}}, options{batch: 64},
				ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithTimeout(5*time.Second))
			rule := fewOf(ratelimit.SlidingWindow)
			var group sync.WaitGroup
			var wrong atomic.Int64
			for caller := range callers {
				group.Go(func() {
					for i := range 200 {
						if d, err := r.limiter.Acquire(context.Background(), rule.For(fmt.Sprint(caller, i))); err != nil || !d.Allowed {
							wrong.Add(1)
							return
						}
					}
				})
			}
			group.Wait()
			if n := wrong.Load(); n != 0 {
				t.Errorf("%d callers were refused", n)
			}
			info := r.root.Info(context.Background(), "stats").Val()
			if number(t, info, "evicted_keys:") == 0 {
				t.Error("the server has evicted nothing")
			}
			r.close()
		})
	}
}

// TestFailoverLosesTheLastWrites replaces the master by a replica that has not
// seen its last writes: what passed meanwhile passes once more, and no more.
func TestFailoverLosesTheLastWrites(t *testing.T) {
	r := newRig(t, fault{proxied: true, args: replicating}, options{batch: 64},
		ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithTimeout(time.Second))
	replica, c := r.replica()
	rule := policies[1].requests("hot", hotLimit)
	pass := func(n int) (passed int64) {
		for range n {
			if d, err := r.limiter.Acquire(t.Context(), rule...); err == nil && d.Allowed {
				passed++
			}
		}
		return passed
	}
	await(t, "Ready", func() bool { return r.limiter.Ready(t.Context()) == nil })
	seen := pass(30)
	r.replicated()
	if err := c.Do(t.Context(), "REPLICAOF", "127.0.0.1", "1").Err(); err != nil {
		t.Fatal(err)
	}
	unseen := pass(40)
	r.fail(replica, c)
	r.left(rule[0])
	rest := pass(2 * hotLimit)
	if seen != 30 || unseen != 40 || rest != hotLimit-seen {
		t.Errorf("%d and %d calls passed before, %d on the new master; want 30, 40, %d", seen, unseen, rest, hotLimit-30)
	}
	r.close()
}

// TestTooFewReplicas has a master refuse writes that no replica has: with
// min-replicas-to-write nothing passes that a failover could lose.
func TestTooFewReplicas(t *testing.T) {
	r := newRig(t, fault{args: []string{"--min-replicas-to-write", "1"}}, options{batch: 64}, ratelimit.WithFailure(ratelimit.FailClosed))
	_, err := r.limiter.Acquire(t.Context(), policies[1].requests("hot", hotLimit)...)
	if err == nil || !strings.Contains(err.Error(), "NOREPLICAS") {
		t.Errorf("got %v", err)
	}
	r.close()
}
