package lineartest

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// faulty is an oracle around which something goes wrong.
type faulty struct {
	clock  func() time.Time
	do     func(f *faulty, b *ratelimit.Batch) error
	mu     sync.Mutex
	oracle *storetest.Oracle
	before *storetest.Oracle // the oracle of a moment ago
}

func (f *faulty) Do(_ context.Context, b *ratelimit.Batch) error { return f.do(f, b) }
func (f *faulty) Ready(context.Context) error                    { return nil }
func (f *faulty) Close() error                                   { return nil }

// decide is without a fault.
func (f *faulty) decide(b *ratelimit.Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before = f.oracle.Clone(f.clock)
	return f.oracle.Do(context.Background(), b)
}

// forget decides without effect.
func (f *faulty) forget(b *ratelimit.Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.oracle.Clone(f.clock).Do(context.Background(), b)
}

// readThenWrite lets others decide between what it reads and what it writes.
func (f *faulty) readThenWrite(b *ratelimit.Batch) error {
	f.mu.Lock()
	read := f.oracle.Clone(f.clock)
	f.mu.Unlock()
	runtime.Gosched()
	err := read.Do(context.Background(), b)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.oracle = read
	return err
}

// late answers from what held before the last decision.
func (f *faulty) late(b *ratelimit.Batch) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.before.Do(context.Background(), b)
}

// oneByOne charges what has quota although others refuse.
func (f *faulty) oneByOne(b *ratelimit.Batch) error {
	all := true
	for i := range b.Items {
		one := &ratelimit.Batch{Op: b.Op, Items: b.Items[i : i+1]}
		if err := f.decide(one); err != nil {
			return err
		}
		b.Time = one.Time
		all = all && (one.Allowed || b.Items[i].Shadow)
	}
	b.Allowed = all
	return nil
}

// again decides twice, as if an answer had been lost, and gives the first one.
func (f *faulty) again(b *ratelimit.Batch) error {
	twin := &ratelimit.Batch{Op: b.Op, Partial: b.Partial, Items: append([]ratelimit.Item(nil), b.Items...)}
	if err := f.decide(b); err != nil {
		return err
	}
	return f.decide(twin)
}

// only has fault decide the operations that are op, and of those that are
// acquired only plain ones.
func only(op ratelimit.Op, fault func(*faulty, *ratelimit.Batch) error) func(*faulty, *ratelimit.Batch) error {
	return func(f *faulty, b *ratelimit.Batch) error {
		if b.Op == op && !b.Partial {
			return fault(f, b)
		}
		return f.decide(b)
	}
}

// TestOracle shows that the checker finds nothing wrong with what is right.
func TestOracle(t *testing.T) {
	for seed := range int64(5) {
		p := plan{Seed: seed, Given: true}
		check(t, p, playFaulty(t, p, (*faulty).decide))
	}
}

// TestFaultsAreFound shows that the checker finds stores out that are not right.
func TestFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*faulty, *ratelimit.Batch) error
	}{
		{"read, then write", (*faulty).readThenWrite},
		{"a peek answers late", only(ratelimit.OpPeek, (*faulty).late)},
		{"rules are charged one by one", only(ratelimit.OpAcquire, (*faulty).oneByOne)},
		{"a call is charged twice", only(ratelimit.OpAcquire, (*faulty).again)},
		{"a charge is lost", only(ratelimit.OpAcquire, (*faulty).forget)},
		{"a refund is lost", only(ratelimit.OpRefund, (*faulty).forget)},
		{"a reset is lost", only(ratelimit.OpReset, (*faulty).forget)},
	} {
		t.Run(c.name, func(t *testing.T) {
			const histories = 20
			for seed := range int64(histories) {
				p := plan{Seed: seed, Given: true}
				if linearizable(p, playFaulty(t, p, c.do)) == porcupine.Illegal {
					t.Logf("found after %d histories", seed+1)
					return
				}
			}
			t.Errorf("not found in %d histories", histories)
		})
	}
}

func playFaulty(t *testing.T, p plan, do func(*faulty, *ratelimit.Batch) error) []event {
	t.Helper()
	events, err := play(p, faultyStores(do), 0, callers, counted(), together(callers))
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func faultyStores(do func(*faulty, *ratelimit.Batch) error) stores {
	clock := storetest.NewClock(1_700_000_000_000_000)
	oracle := storetest.NewOracle(clock.Now)
	f := &faulty{clock: clock.Now, do: do, oracle: oracle, before: oracle.Clone(clock.Now)}
	return stores{f, f, clock}
}
