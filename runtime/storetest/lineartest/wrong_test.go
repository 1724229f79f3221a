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

// TestFaultsAreFound shows that the checker tells stores apart that are right
// and such that are not.
func TestFaultsAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(*faulty, *ratelimit.Batch) error
		faulty bool
	}{
		{"none", (*faulty).decide, false},
		{"read, then write", (*faulty).readThenWrite, true},
		{"a peek answers late", only(ratelimit.OpPeek, (*faulty).late), true},
		{"rules are charged one by one", only(ratelimit.OpAcquire, (*faulty).oneByOne), true},
		{"a call is charged twice", only(ratelimit.OpAcquire, (*faulty).again), true},
		{"a charge is lost", only(ratelimit.OpAcquire, (*faulty).forget), true},
		{"a refund is lost", only(ratelimit.OpRefund, (*faulty).forget), true},
		{"a reset is lost", only(ratelimit.OpReset, (*faulty).forget), true},
	} {
		t.Run(c.name, func(t *testing.T) { findFault(t, c.do, c.faulty) })
	}
}

func findFault(t *testing.T, do func(*faulty, *ratelimit.Batch) error, want bool) {
	const histories = 20
	for seed := range int64(histories) {
		p := plan{Seed: seed, Given: true}
		events, err := play(p, faultyStores(do), 0, callers, counted(), together(callers))
		if err != nil {
			t.Fatal(err)
		}
		result, _ := linearizable(p, events)
		if !want && result != porcupine.Ok {
			t.Fatalf("history %d: %v\n%s", seed, result, story(p, events))
		}
		if result == porcupine.Illegal {
			t.Logf("found after %d histories", seed+1)
			return
		}
	}
	if want {
		t.Errorf("not found in %d histories", histories)
	}
}

func faultyStores(do func(*faulty, *ratelimit.Batch) error) stores {
	clock := storetest.NewClock(1_700_000_000_000_000)
	oracle := storetest.NewOracle(clock.Now)
	f := &faulty{clock: clock.Now, do: do, oracle: oracle, before: oracle.Clone(clock.Now)}
	return stores{f, f, clock}
}
