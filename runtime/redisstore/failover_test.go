package redisstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

const failoverCallers = 8

// witness counts what callers see of decisions about one rule.
type witness struct {
	rule                                     *ratelimit.Rule
	passed, refused, degraded, failed, wrong atomic.Int64
}

// ask reports whether there was a decision.
func (w *witness) ask(l *ratelimit.Limiter) bool {
	d, err := l.Acquire(context.Background(), w.rule.For("k"))
	switch {
	case errors.Is(err, ratelimit.ErrUnavailable):
		w.failed.Add(1)
	case err != nil:
		w.wrong.Add(1)
	case d.Degraded:
		w.degraded.Add(1)
	case d.Allowed:
		w.passed.Add(1)
		return true
	default:
		w.refused.Add(1)
		return true
	}
	return false
}

func (w *witness) String() string {
	return fmt.Sprintf("%s: %d passed, %d were refused, %d let through, %d failed, %d went wrong", w.rule.Name,
		w.passed.Load(), w.refused.Load(), w.degraded.Load(), w.failed.Load(), w.wrong.Load())
}

// underLoad has callers ask for the rules of witnesses until it is ended.
func underLoad(l *ratelimit.Limiter, witnesses ...*witness) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for i := range failoverCallers {
		group.Go(func() {
			for ctx.Err() == nil {
				witnesses[i%len(witnesses)].ask(l)
				time.Sleep(time.Millisecond)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

// outage is servers of which one can end.
type outage struct {
	client redis.UniversalClient
	end    func(key string) // the master of key
	over   func()           // returns when another one is master
}

// TestFailover ends masters under load. Until another one has taken over, rules
// that fail closed refuse and those that fail open let through; afterwards all
// are decided again.
func TestFailover(t *testing.T) {
	for name, start := range map[string]func(*testing.T) outage{
		"sentinel, killed": sentinelKilled,
		"sentinel, frozen": sentinelFrozen,
		"cluster, killed":  clusterKilled,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failover(t, start(t))
		})
	}
}

func failover(t *testing.T, o outage) {
	const limit = 1 << 20
	closed := &witness{rule: rule("closed", ratelimit.FixedWindow, limit, time.Hour)}
	open := &witness{rule: rule("open", ratelimit.SlidingCounter, limit, time.Hour)}
	closed.rule.Tag, closed.rule.Fail = "t", ratelimit.FailClosed
	open.rule.Tag, open.rule.Fail = "t", ratelimit.FailOpen
	store := New(o.client)
	limiter := ratelimit.New(store, ratelimit.WithTimeout(300*time.Millisecond), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { limiter.Close() })
	it := item(closed.rule, "k")
	it.Tag = "t"

	well := func(when string) {
		t.Helper()
		failed := closed.failed.Load() + open.degraded.Load()
		end := underLoad(limiter, closed, open)
		time.Sleep(250 * time.Millisecond)
		end()
		if n := closed.failed.Load() + open.degraded.Load() - failed; n > 0 {
			t.Errorf("%s: %d calls without a decision", when, n)
		}
	}
	well("before")

	end := underLoad(limiter, closed, open)
	o.end(store.key(&it))
	start := time.Now()
	o.over()
	took := time.Since(start)
	eventually(t, "decisions", func() bool { return closed.ask(limiter) && open.ask(limiter) })
	t.Logf("another master after %v, decisions %v later", took, time.Since(start)-took)
	end()
	if closed.failed.Load() == 0 || open.degraded.Load() == 0 {
		t.Error("no call was without a decision")
	}
	well("after")

	t.Logf("%v; %v", closed, open)
	if n := closed.degraded.Load() + open.failed.Load() + closed.wrong.Load() + open.wrong.Load(); n > 0 {
		t.Errorf("%d calls went against their rule", n)
	}
	// One call of each caller may have lost its answer, one its charge, since
	// replicas lag.
	passed, charged := closed.passed.Load(), limit-must(t, store, costing(it, 1)).Items[0].Remaining-1
	if lost := charged - passed; lost < -failoverCallers || lost > failoverCallers {
		t.Errorf("%d calls passed, %d were charged", passed, charged)
	}
}

func sentinelKilled(t *testing.T) outage {
	s := redistest.StartSentinel(t)
	master, replica := s.Master(t), s.Replica(t)
	return outage{s.Client(t), func(string) { master.Kill() }, func() { s.AwaitMaster(t, replica) }}
}

func sentinelFrozen(t *testing.T) outage {
	s := redistest.StartSentinel(t)
	master, replica := s.Master(t), s.Replica(t)
	return outage{s.Client(t), func(string) { master.Freeze(t) }, func() { s.AwaitMaster(t, replica) }}
}

func clusterKilled(t *testing.T) outage {
	c := redistest.StartCluster(t, 3, 1, "--cluster-node-timeout", "1000")
	return outage{c.Client(t), func(key string) { c.Owner(t, c.Slot(t, key)).Kill() }, func() { c.Await(t) }}
}

// TestDemotedMaster makes the master a replica of nobody for a moment, as
// happens during a planned failover: what it answers is asked again.
func TestDemotedMaster(t *testing.T) {
	t.Parallel()
	sentinel := redistest.StartSentinel(t)
	s := open(t, sentinel.Client(t))
	master := sentinel.Master(t).Client(t)
	all := manyWanted("demoted", 200)
	end := load(t, s, failoverCallers, all)
	for _, role := range [][]any{{"127.0.0.1", "1"}, {"NO", "ONE"}} {
		time.Sleep(50 * time.Millisecond)
		if err := master.Do(t.Context(), append([]any{"REPLICAOF"}, role...)...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(50 * time.Millisecond)
	end()
	drain(t, s, all)
	text := master.Info(t.Context(), "errorstats").Val()
	if !strings.Contains(text, "errorstat_READONLY") {
		t.Errorf("the master has not answered READONLY: %s", text)
	}
}
