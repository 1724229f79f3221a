package memory

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestTable compares a table with a map while it grows and shrinks.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rule := &ratelimit.Rule{Name: "r"}
	var tb table
	want := map[string]*bucket{}
	for i := range 20_000 {
		key := fmt.Sprint(r.IntN(3000))
		d := &id{rule: rule, hash: r.Uint64() % (1 << 40), key: key}
		if b := want[key]; b != nil {
			d.hash = uint64(b.hash)
			if got := tb.find(d); got != b {
				t.Fatalf("step %d: found %v, want %v", i, got, b)
			}
			if grow := (i/5000)%2 == 0; !grow || r.IntN(4) == 0 {
				tb.remove(b)
				delete(want, key)
			}
		} else {
			b := newBucket(d)
			tb.add(b)
			want[key] = b
		}
		if tb.count != len(want) {
			t.Fatalf("step %d: count %d, want %d", i, tb.count, len(want))
		}
		pages, least := int(tb.pages.Load()), len(want)/pageLoad
		if pages < least || pages > 2*least+2 {
			t.Fatalf("step %d: %d pages for %d buckets", i, pages, len(want))
		}
		if n := len(*tb.chunks.Load()); n > pages/chunkPages+1 {
			t.Fatalf("step %d: %d chunks for %d pages", i, n, pages)
		}
	}
	for key, b := range want {
		if tb.find(&id{rule: rule, hash: uint64(b.hash), key: key}) != b {
			t.Fatalf("lost %q", key)
		}
		tb.remove(b)
	}
	if tb.count != 0 || tb.pages.Load() > 1 {
		t.Errorf("an empty table has %d buckets, %d pages", tb.count, tb.pages.Load())
	}
}

// TestFindWithoutLock asks for a hot bucket while the table around it grows and
// shrinks all the time, and counts what passes.
func TestFindWithoutLock(t *testing.T) {
	s := New()
	defer s.Close()
	hot := &ratelimit.Rule{Name: "hot", Algorithm: ratelimit.SlidingWindow, Limit: 2000, Window: time.Hour}
	cold := &ratelimit.Rule{Name: "cold", Limit: 5, Window: time.Millisecond}
	var passed atomic.Int64
	var callers, sweeps sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			b := &ratelimit.Batch{Items: make([]ratelimit.Item, 1)}
			for j := range 2000 {
				b.Items[0] = ratelimit.Item{Rule: cold, Key: fmt.Sprint(i, j), Cost: 1, Limit: cold.Limit}
				if s.Do(t.Context(), b); !b.Allowed {
					t.Error("a new key is refused")
				}
				b.Items[0] = ratelimit.Item{Rule: hot, Cost: 1, Limit: hot.Limit}
				if s.Do(t.Context(), b); b.Allowed {
					passed.Add(1)
				}
			}
		})
	}
	var done atomic.Bool
	sweeps.Go(func() {
		for !done.Load() {
			s.sweepSome()
			runtime.Gosched()
		}
	})
	callers.Wait()
	done.Store(true)
	sweeps.Wait()
	if passed.Load() != hot.Limit {
		t.Errorf("%d calls passed, want %d", passed.Load(), hot.Limit)
	}
}

// TestGone does not charge a bucket that has gone since it was found.
func TestGone(t *testing.T) {
	s := New()
	defer s.Close()
	rule := &ratelimit.Rule{Name: "r", Limit: 2, Window: time.Hour}
	b := &ratelimit.Batch{Items: []ratelimit.Item{{Rule: rule, Key: "k", Cost: 1, Limit: rule.Limit}}}
	var d id
	s.hasher.name(&d, &b.Items[0])
	s.Do(t.Context(), b)
	found := s.shard(d.hash).table.find(&d)
	b.Op = ratelimit.OpReset
	s.Do(t.Context(), b)
	b.Op = ratelimit.OpAcquire
	if s.known(found, b, s.clock.early()) {
		t.Error("a bucket that has gone was charged")
	}
	if s.Do(t.Context(), b); b.Items[0].Remaining != 1 {
		t.Errorf("%d left, want 1", b.Items[0].Remaining)
	}
}

// TestRing compares a ring with a slice.
func TestRing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	g, want := bare(ratelimit.SlidingWindow).calls(), []int64(nil)
	now := int64(0)
	for i := range 20_000 {
		now += r.Int64N(3)
		switch n := r.IntN(10); {
		case n < 6:
			cost := 1 + r.IntN(1+i%700)
			g.push(now, cost)
			for range cost {
				want = append(want, now)
			}
		case n == 6:
			limit := now - r.Int64N(20)
			g.cap(limit)
			for i := range want {
				want[i] = min(want[i], limit)
			}
			now = limit
		default:
			limit := now - r.Int64N(20)
			n := len(want) - len(slices.DeleteFunc(slices.Clone(want), func(e int64) bool { return e <= limit }))
			if got := g.until(limit); got != n {
				t.Fatalf("step %d: %d times until %d, want %d", i, got, limit, n)
			}
			g.drop(n)
			want = want[n:]
		}
		if g.len() != len(want) || len(want) > 0 && (g.at(0) != want[0] || g.at(len(want)-1) != want[len(want)-1]) {
			t.Fatalf("step %d: ring and slice differ", i)
		}
	}
}

// TestRingShrinks gives memory back after a burst.
func TestRingShrinks(t *testing.T) {
	g := bare(ratelimit.SlidingWindow).calls()
	g.push(1, 100_000)
	g.drop(99_999)
	g.push(2, 1)
	if g.len() != 2 || len(g.times()) > 64 || g.at(0) != 1 || g.at(1) != 2 {
		t.Errorf("%d times in a ring of %d", g.len(), len(g.times()))
	}
}

func TestLongNamesAreDigested(t *testing.T) {
	h := &hasher{seed: maphash.MakeSeed()}
	rule := &ratelimit.Rule{Name: "r"}
	long := strings.Repeat("k", 1<<20)
	var a, b id
	h.name(&a, &ratelimit.Item{Rule: rule, Key: long, Tag: long})
	if len(a.key) > longest || len(a.tag) > longest {
		t.Errorf("key of %d bytes, tag of %d", len(a.key), len(a.tag))
	}
	h.name(&b, &ratelimit.Item{Rule: rule, Key: a.key, Tag: a.tag})
	if a.kind == b.kind {
		t.Error("a digest is taken for a key that reads the same")
	}
}

func TestClockNeverStepsBack(t *testing.T) {
	var c clock
	c.init(nil)
	last := c.now()
	for range 1000 {
		c.follow()
		if now := c.now(); now < last {
			t.Fatalf("%d after %d", now, last)
		} else {
			last = now
		}
	}
}

// TestClockFollows steps to a wall clock that is ahead, and not to one behind.
func TestClockFollows(t *testing.T) {
	for _, c := range []struct{ lag, want time.Duration }{
		{time.Hour, 0}, {2 * time.Second, 0}, {500 * time.Millisecond, 500 * time.Millisecond}, {-time.Hour, -time.Hour},
	} {
		var k clock
		k.init(nil)
		k.base.Add(-c.lag.Microseconds())
		k.follow()
		lag := time.Duration(time.Now().UnixMicro()-k.now()) * time.Microsecond
		if (lag - c.want).Abs() > 100*time.Millisecond {
			t.Errorf("wall clock ahead by %v: %v after follow, want %v", c.lag, lag, c.want)
		}
	}
}
