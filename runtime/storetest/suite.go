package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// Suite says how to make and look into the store under test.
type Suite struct {
	// Open returns an empty store that decides by clock. What it needs ends
	// with t.
	Open func(t testing.TB, clock func() time.Time) ratelimit.Store

	// TTL returns how long s keeps the state of the bucket of it, or would
	// keep it if its clock were the real one, counted from the decision that
	// wrote it; ok is false if s has no state of it. A store that does not
	// expire its state leaves TTL nil.
	TTL func(t testing.TB, s ratelimit.Store, it *ratelimit.Item) (ttl time.Duration, ok bool)

	// Only are the algorithms of a store in the making; nil means all, and
	// calendar windows.
	Only []ratelimit.Algorithm

	// Operations also tests those beside a plain OpAcquire.
	Operations bool
}

// Run tests the store that open makes.
func Run(t *testing.T, open func(t testing.TB, clock func() time.Time) ratelimit.Store) {
	Suite{Open: open}.Run(t)
}

// Run tests the store.
func (s Suite) Run(t *testing.T) {
	t.Run("Cases", s.cases)
	t.Run("Contract", s.contract)
	t.Run("Concurrent", s.concurrent)
	t.Run("Bounds", s.bounds)
	t.Run("Trace", s.trace)
}

func (s Suite) algorithms() []ratelimit.Algorithm {
	if s.Only == nil {
		return algorithms
	}
	return s.Only
}

// knows reports whether the store has what r needs.
func (s Suite) knows(r *ratelimit.Rule) bool {
	return s.Only == nil || r.Calendar == 0 && slices.Contains(s.Only, r.Algorithm)
}

// epoch is where injected clocks start: 16 digits, all of which matter.
const epoch = int64(1_700_000_000_123_457)

// ttlSlack is how much longer than needed a store may keep a state.
const ttlSlack = time.Second

// bench is a store under test with its clock and the oracle beside it.
type bench struct {
	suite  Suite
	store  ratelimit.Store
	oracle *Oracle
	clock  *Clock
}

func (s Suite) open(t testing.TB) *bench {
	clock := NewClock(epoch)
	return &bench{s, s.Open(t, clock.Now), NewOracle(clock.Now), clock}
}

// demand is what a store is asked.
type demand struct {
	op      ratelimit.Op
	partial bool
	items   []ratelimit.Item
}

// ask returns the store's answer to a plain OpAcquire.
func (b *bench) ask(t testing.TB, items []ratelimit.Item) Answer {
	t.Helper()
	return ask(t, b.store, demand{items: items})
}

func ask(t testing.TB, s ratelimit.Store, d demand) Answer {
	t.Helper()
	batch := newBatch(d.items)
	defer batch.Release()
	batch.Op, batch.Partial = d.op, d.partial
	if err := s.Do(context.Background(), batch); err != nil {
		t.Fatalf("Do: %v", err)
	}
	return answerOf(batch)
}

func newBatch(items []ratelimit.Item) *ratelimit.Batch {
	b := ratelimit.NewBatch()
	b.Deadline = time.Now().Add(time.Minute)
	b.Items = append(b.Items, items...)
	return b
}

// checkTTL says what is wrong with the time for which the store keeps the
// states that a has left.
func (b *bench) checkTTL(t testing.TB, d demand, a Answer) string {
	if b.suite.TTL == nil {
		return ""
	}
	for i := range d.items {
		it := &d.items[i]
		ttl, ok := b.suite.TTL(t, b.store, it)
		reset := b.oracle.Reset(it)
		switch {
		case ok && !b.oracle.Holds(it):
			return "the store holds state of a bucket that holds none: " + show(it)
		case !d.wrote(i, a):
		case !ok && reset > 0:
			return "the store holds no state of a bucket that was charged: " + show(it)
		case ok && (ttl < reset || ttl > reset+ttlSlack):
			return "the state is worthless after " + reset.String() + " but kept for " + ttl.String() + ": " + show(it)
		}
	}
	return ""
}

// wrote reports whether the state of item i has been written.
func (d demand) wrote(i int, a Answer) bool {
	switch d.op {
	case ratelimit.OpAcquire:
		return a.Allowed && a.Results[i].Allowed
	case ratelimit.OpRefund:
		return a.Results[i].Allowed
	}
	return false
}

func (d demand) name() string {
	name := [...]string{"acquire", "peek", "refund", "reset"}[d.op]
	if d.partial {
		name += " at most"
	}
	return name
}
