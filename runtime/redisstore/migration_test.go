package redisstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// wanted is what callers ask for under load, and how often it has passed.
type wanted struct {
	items  []ratelimit.Item
	limit  int64
	passed atomic.Int64
}

// manyWanted returns single buckets of every algorithm, and several at once, all
// in the slot of tag.
func manyWanted(tag string, limit int64) []*wanted {
	var all []*wanted
	for i, a := range algorithms {
		for j := range 2 {
			one := item(rule(fmt.Sprintf("single%d.k%d", i, j), a, limit, time.Hour), "k")
			one.Tag = tag
			all = append(all, &wanted{items: []ratelimit.Item{one}, limit: limit})
		}
		narrow := item(rule(fmt.Sprint("narrow", i), a, limit, time.Hour), "k")
		wide := item(rule(fmt.Sprint("wide", i), algorithms[(i+1)%len(algorithms)], 2*limit, time.Hour), "k")
		narrow.Tag, wide.Tag = tag, tag
		all = append(all, &wanted{items: []ratelimit.Item{narrow, wide}, limit: limit})
	}
	return all
}

func (w *wanted) ask(t *testing.T, s *Store) (allowed bool) {
	b, err := try(s, w.items...)
	if err != nil {
		t.Errorf("%d rules: %v", len(w.items), err)
		return false
	}
	if b.Allowed {
		w.passed.Add(1)
	}
	return b.Allowed
}

// load asks for what is wanted at random until it is ended.
func load(t *testing.T, s *Store, callers int, all []*wanted) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for i := range callers {
		g := rand.New(rand.NewPCG(uint64(i), 5))
		group.Go(func() {
			for ctx.Err() == nil {
				all[g.IntN(len(all))].ask(t, s)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

// drain takes what is left of all.
func drain(t *testing.T, s *Store, all []*wanted) {
	t.Helper()
	for _, w := range all {
		for w.ask(t, s) {
		}
		if n := w.passed.Load(); n != w.limit {
			t.Errorf("%v: %d calls passed, want %d", w.items[0].Rule.Name, n, w.limit)
		}
	}
}

// clusterMigrationUnderLoad moves a slot to and fro while it is asked for: no
// call fails, and what passes is exactly the limit.
func clusterMigrationUnderLoad(t *testing.T, c *redistest.Cluster) {
	for _, calls := range []int{64, 1} {
		t.Run(fmt.Sprint("batches of ", calls), func(t *testing.T) {
			s := open(t, c.Client(t), WithPrefix(fmt.Sprintf("moved%d:", calls)), WithBatching(calls))
			migrateUnderLoad(t, c, s)
		})
	}
}

func migrateUnderLoad(t *testing.T, c *redistest.Cluster, s *Store) {
	all := manyWanted("moved", 250)
	slot := c.Slot(t, s.key(&all[0].items[0]))
	for _, node := range c.Masters {
		node.Do(t, "SCRIPT", "FLUSH")
	}
	before := errorsOf(t, c)
	end := load(t, s, 8, all)
	for range 4 {
		m := c.Migrate(t, slot, c.Other(t, slot))
		for m.Move(t, 1) > 0 {
			time.Sleep(2 * time.Millisecond)
		}
		m.End(t)
		time.Sleep(20 * time.Millisecond)
	}
	end()
	drain(t, s, all)
	after := errorsOf(t, c)
	for _, answer := range []string{"MOVED", "ASK", "TRYAGAIN", "NOSCRIPT"} {
		n := after[answer] - before[answer]
		t.Logf("the nodes answered %s %d times", answer, n)
		if n == 0 {
			t.Errorf("no node has answered %s", answer)
		}
	}
}

// clusterHalfMigration stops in the middle: single buckets are decided, several
// of which one has moved wait for the rest.
func clusterHalfMigration(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.Client(t), WithPrefix("half:"))
	var both, fresh []ratelimit.Item
	for i := range 2 {
		it := item(rule(fmt.Sprint("half", i), ratelimit.SlidingWindow, 10, time.Hour), "k")
		it.Tag = "half"
		both = append(both, it)
		it.Key = "never used"
		fresh = append(fresh, it)
	}
	slot := c.Slot(t, s.key(&both[0]))
	must(t, s, both...)
	m := c.Migrate(t, slot, c.Other(t, slot))
	m.MoveKey(t, s.key(&both[0]))
	for i := range both {
		if left := must(t, s, both[i]).Items[0].Remaining; left != 8 {
			t.Errorf("bucket %d has %d left, want 8", i, left)
		}
	}
	for _, items := range [][]ratelimit.Item{both, fresh} {
		err := s.Do(t.Context(), batch(100*time.Millisecond, items...))
		if err == nil || !strings.Contains(err.Error(), "TRYAGAIN") {
			t.Errorf("got %v, want TRYAGAIN", err)
		}
	}
	var group sync.WaitGroup
	start := time.Now()
	for _, w := range []struct {
		items []ratelimit.Item
		left  int64
	}{{both, 7}, {fresh, 9}} {
		group.Go(func() {
			b, err := try(s, w.items...)
			if err != nil || !b.Allowed || b.Items[0].Remaining != w.left || b.Items[1].Remaining != w.left {
				t.Errorf("after the move: %+v, %v, want %d left", b.Items, err, w.left)
			}
			if took := time.Since(start); took < 50*time.Millisecond || took > 5*time.Second {
				t.Errorf("the decision took %v", took)
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	m.End(t)
	group.Wait()
}
