package redisstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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
		"cluster, frozen":  clusterFrozen,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failover(t, start(t))
		})
	}
}

func failover(t *testing.T, o outage) {
	f := newTrial(t, o.client)
	f.well("before")
	f.outlive(o)
	f.well("after")
	f.settle()
}

// trial is rules of which one fails closed and one open, seen through one
// Limiter.
type trial struct {
	*testing.T
	store        *Store
	limiter      *ratelimit.Limiter
	closed, open *witness
	bucket       ratelimit.Item // of closed
}

const plenty = 1 << 20

func newTrial(t *testing.T, client redis.UniversalClient) *trial {
	f := &trial{T: t, store: New(client)}
	f.limiter = ratelimit.New(f.store,
		ratelimit.WithTimeout(300*time.Millisecond), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	t.Cleanup(func() { f.limiter.Close() })
	eventually(t, "Ready", func() bool { return f.limiter.Ready(t.Context()) == nil })
	f.closed = &witness{rule: rule("closed", ratelimit.FixedWindow, plenty, time.Hour)}
	f.open = &witness{rule: rule("open", ratelimit.SlidingCounter, plenty, time.Hour)}
	f.closed.rule.Tag, f.closed.rule.Fail = "t", ratelimit.FailClosed
	f.open.rule.Tag, f.open.rule.Fail = "t", ratelimit.FailOpen
	f.bucket = item(f.closed.rule, "k")
	f.bucket.Tag = "t"
	return f
}

// undecided is how many calls went as their rule says for want of a decision.
func (f *trial) undecided() int64 { return f.closed.failed.Load() + f.open.degraded.Load() }

// well tests that all calls of a while are decided.
func (f *trial) well(when string) {
	f.Helper()
	before := f.undecided()
	end := underLoad(f.limiter, f.closed, f.open)
	time.Sleep(250 * time.Millisecond)
	end()
	if n := f.undecided() - before; n > 0 {
		f.Errorf("%s: %d calls without a decision", when, n)
	}
}

// outlive ends the master under load, until there are decisions again.
func (f *trial) outlive(o outage) {
	f.Helper()
	end := underLoad(f.limiter, f.closed, f.open)
	o.end(f.store.key(&f.bucket))
	start := time.Now()
	o.over()
	took := time.Since(start)
	eventually(f, "decisions", func() bool { return f.closed.ask(f.limiter) && f.open.ask(f.limiter) })
	f.Logf("another master after %v, decisions %v later", took, time.Since(start)-took)
	end()
	eventually(f, "a closed circuit", func() bool {
		for range 5 {
			if !f.closed.ask(f.limiter) {
				return false
			}
		}
		return true
	})
	if f.closed.failed.Load() == 0 || f.open.degraded.Load() == 0 {
		f.Error("no call was without a decision")
	}
}

// settle compares what passed with what was charged. One call of each caller may
// have lost its answer, one its charge, since replicas lag.
func (f *trial) settle() {
	f.Helper()
	f.Logf("%v; %v", f.closed, f.open)
	if n := f.closed.degraded.Load() + f.open.failed.Load() + f.closed.wrong.Load() + f.open.wrong.Load(); n > 0 {
		f.Errorf("%d calls went against their rule", n)
	}
	passed, charged := f.closed.passed.Load(), plenty-must(f, f.store, f.bucket).Items[0].Remaining-1
	if lost := charged - passed; lost < -failoverCallers || lost > failoverCallers {
		f.Errorf("%d calls passed, %d were charged", passed, charged)
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

// clusterFrozen has a client that gives up what a frozen node was asked after a
// second, as docs/operations.md advises.
func clusterFrozen(t *testing.T) outage {
	c := redistest.StartCluster(t, 3, 1, "--cluster-node-timeout", "1000")
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs(), ReadTimeout: time.Second})
	t.Cleanup(func() { client.Close() })
	var replica *redis.Client
	return outage{client, func(key string) {
		master := c.Owner(t, c.Slot(t, key))
		replica = c.Replicas[slices.Index(c.Masters, master)].Client(t)
		master.Freeze(t)
	}, func() {
		eventually(t, "another master", func() bool {
			info := replica.ClusterInfo(context.Background()).Val()
			role, err := replica.Do(context.Background(), "ROLE").Slice()
			return err == nil && role[0] == "master" && strings.Contains(info, "cluster_state:ok")
		})
	}}
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
