package faulttest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var algorithms = []ratelimit.Algorithm{
	ratelimit.FixedWindow, ratelimit.SlidingWindow, ratelimit.SlidingCounter, ratelimit.TokenBucket, ratelimit.LeakyBucket,
}

const few = 5 // calls that a bucket has room for

// fewOf is a rule of which few calls pass in a day.
func fewOf(a ratelimit.Algorithm) *ratelimit.Rule {
	r := &ratelimit.Rule{Name: "few." + a.String(), Algorithm: a, Limit: few, Window: 24 * time.Hour, Refund: ratelimit.OnError}
	if a == ratelimit.LeakyBucket {
		r.Burst = few - 1
	}
	return r
}

// replicating has a master send a replica all that it writes, at once: one that
// was synchronised without a file would get nothing before its first
// acknowledgement, up to a second later.
var replicating = []string{"--repl-diskless-sync", "no", "--repl-ping-replica-period", "1"}

// left is what a bucket has, which is asked for until there is an answer.
func (r *rig) left(q ratelimit.Request) (n int64) {
	r.t.Helper()
	await(r.t, "what is left", func() bool {
		d, err := r.limiter.Peek(context.Background(), q)
		n = d.Remaining
		return err == nil && !d.Degraded
	})
	return n
}

// each runs test with batching and without, behind a proxy.
func each(t *testing.T, test func(*testing.T, *rig)) {
	for _, batch := range []int{1, 64} {
		t.Run(fmt.Sprint("batch ", batch), func(t *testing.T) {
			r := newRig(t, fault{proxied: true, args: replicating}, options{batch: batch},
				ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithTimeout(2*time.Second))
			await(t, "Ready", func() bool { return r.limiter.Ready(t.Context()) == nil })
			test(t, r)
			r.close()
		})
	}
}

// TestLostAnswer has the server carry out a call whose answer is lost: it is
// charged once, and sent once.
func TestLostAnswer(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for _, a := range algorithms {
			rule := fewOf(a)
			r.left(rule.For("k")) // so that the script is known
			if _, err := r.limiter.Acquire(t.Context(), rule.For("other")); err != nil {
				t.Fatal(err)
			}
			r.server.ResetStats(t)
			r.proxy.once(&spoil{lost: true}, 1)
			if _, err := r.limiter.Acquire(t.Context(), rule.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
				t.Errorf("%v: %v", a, err)
			}
			if n := r.server.Stats(t)["evalsha"].Calls; n != 1 {
				t.Errorf("%v: the server ran %d commands, want 1", a, n)
			}
			if n := r.left(rule.For("k")); n != few-1 {
				t.Errorf("%v: %d are left, want %d", a, n, few-1)
			}
		}
	})
}

// TestLostRefund has the server give back what a call took, and its answer
// lost: it is given back once, however often it is asked for.
func TestLostRefund(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		for _, a := range algorithms {
			rule := fewOf(a)
			acquire := func(key string) ratelimit.Decision {
				d, err := r.limiter.Acquire(t.Context(), rule.For(key))
				if err != nil || !d.Allowed {
					t.Fatal(d, err)
				}
				return d
			}
			if err := r.limiter.Refund(t.Context(), acquire("other")); err != nil { // so that the script is known
				t.Fatal(err)
			}
			acquire("k")
			acquire("k")
			d := acquire("k")
			r.proxy.once(&spoil{lost: true}, 1)
			if err := r.limiter.Refund(t.Context(), d); err == nil {
				t.Errorf("%v: a refund whose answer was lost is reported as done", a)
			}
			if err := r.limiter.Refund(t.Context(), d); err == nil {
				t.Errorf("%v: a second refund is reported as done", a)
			}
			r.limiter.Settle(t.Context(), d, errors.New("failed"))
			if n := r.left(rule.For("k")); n != few-2 {
				t.Errorf("%v: %d are left after three calls and one refund, want %d", a, n, few-2)
			}
		}
	})
}

// TestManyLostAnswers has every few answers lost while many ask, each for a
// bucket of its own: none may be charged twice, none that passed not at all.
func TestManyLostAnswers(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		rule := fewOf(ratelimit.FixedWindow)
		results := r.storm(rule, "k", func(i int, _ *storm) {
			if i%10 == 0 {
				r.proxy.once(&spoil{lost: true}, 1)
			}
		})
		r.audit(rule, results.all())
		if results.lost == 0 {
			t.Error("no answer was lost")
		}
	})
}

// storm is many calls, each for a key of its own.
type storm struct {
	mu     sync.Mutex
	passed map[string]bool
	lost   int
}

const stormCalls = 30 // of each caller

// storm has half of the callers ask, each for keys of its own that begin with
// name. One of them calls before first.
func (r *rig) storm(rule *ratelimit.Rule, name string, before func(i int, s *storm)) *storm {
	s := &storm{passed: map[string]bool{}}
	var group sync.WaitGroup
	for caller := range callers / 2 {
		group.Go(func() {
			for i := range stormCalls {
				key := fmt.Sprintf("%s-%d-%d", name, caller, i)
				if caller == 0 {
					before(i, s)
				}
				_, err := r.limiter.Acquire(context.Background(), rule.For(key))
				s.note(key, err)
				time.Sleep(4 * time.Millisecond)
			}
		})
	}
	group.Wait()
	return s
}

func (s *storm) note(key string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed[key] = err == nil
	if err != nil && !strings.Contains(err.Error(), "not asked") {
		s.lost++
	}
}

// all are the keys of calls that have ended.
func (s *storm) all() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.passed)
}

// audit looks at what each call was charged: nothing or once, and once if it
// passed.
func (r *rig) audit(rule *ratelimit.Rule, passed map[string]bool) {
	r.t.Helper()
	for key, passed := range passed {
		charged := few - r.left(rule.For(key))
		if charged < 0 || charged > 1 || passed && charged != 1 {
			r.t.Errorf("call %s passed: %v, and was charged %d times", key, passed, charged)
		}
	}
}

// replica is a server that follows the rig's and has all that it has.
func (r *rig) replica() (*redistest.Server, *redis.Client) {
	replica := redistest.Start(r.t, append(replicating, "--replicaof", strings.ReplaceAll(r.server.Addr(), ":", " "))...)
	c := replica.Client(r.t)
	await(r.t, "the replica", func() bool {
		return strings.Contains(c.Info(context.Background(), "replication").Val(), "master_link_status:up") &&
			strings.Contains(r.root.Info(context.Background(), "replication").Val(), "state=online")
	})
	return replica, c
}

// replicated waits until the replica has all that has been written so far.
func (r *rig) replicated() {
	await(r.t, "the replica to have all", func() bool { // on one connection
		err := r.root.Set(context.Background(), "written", "", 0).Err()
		return err == nil && r.root.Wait(context.Background(), 1, time.Second).Val() == 1
	})
}

// fail replaces the server, which is gone, by its replica.
func (r *rig) fail(replica *redistest.Server, c *redis.Client) {
	r.server.Kill()
	if err := c.Do(context.Background(), "REPLICAOF", "NO", "ONE").Err(); err != nil {
		r.t.Error(err)
	}
	r.proxy.lead(replica.Addr())
	r.proxy.cut()
}

// TestFailoverChargesOnce has the master replaced by its replica while many
// ask. On the new master no call is charged twice. What passed before the replica
// had all is charged, and what passes after the failover; what passed in between
// may be lost, and is no more than that.
func TestFailoverChargesOnce(t *testing.T) {
	each(t, func(t *testing.T, r *rig) {
		replica, c := r.replica()
		rule := fewOf(ratelimit.FixedWindow)
		var before map[string]bool
		during := r.storm(rule, "during", func(i int, s *storm) {
			if i != stormCalls/3 {
				return
			}
			before = s.all()
			r.replicated()
			r.proxy.spoil.Store(&spoil{lost: true})
			time.Sleep(5 * time.Millisecond)
			r.fail(replica, c)
			r.proxy.spoil.Store(nil)
		})
		r.left(rule.For("")) // so that there are decisions again
		after := r.storm(rule, "after", func(int, *storm) {})
		r.audit(rule, before)
		r.audit(rule, after.all())
		charged := 0
		for key := range during.all() {
			n := few - r.left(rule.For(key))
			if charged += int(n); n < 0 || n > 1 {
				t.Errorf("call %s was charged %d times", key, n)
			}
		}
		t.Logf("%d calls of the new master before, %d of %d charged in all, %d without an answer, %d after",
			len(before), charged, len(during.all()), during.lost, len(after.all())-after.lost)
		if len(before) == 0 || during.lost == 0 || len(after.all()) == after.lost {
			t.Error("there was nothing to lose")
		}
	})
}
