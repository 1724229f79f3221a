package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sony/gobreaker/v2"
)

// moody is a remote store that answers as it is told.
type moody struct {
	answer error
	refuse bool
	fault  Fault
}

func (s *moody) Do(ctx context.Context, b *Batch) error {
	b.Time, b.Allowed = 1, !s.refuse
	b.Items[0].Result = Result{Allowed: !s.refuse}
	return errors.Join(ctx.Err(), s.answer)
}

func (*moody) Remote() bool                { return true }
func (s *moody) Classify(error) Fault      { return s.fault }
func (*moody) Ready(context.Context) error { return nil }
func (*moody) Close() error                { return nil }

// told is what a breaker hears of the store's next answer, if it lets a call ask.
func (s *moody) told(hangsUp, closed bool) error {
	switch {
	case hangsUp:
		return errNoVerdict
	case s.answer != nil:
		return s.answer
	case s.refuse && closed:
		return errNoVerdict
	}
	return nil
}

// be chooses the next answer: as many of ten calls fail, as many are refused.
func (s *moody) be(random *rand.Rand, fail, refuse int) {
	*s = moody{}
	switch n := random.IntN(10); {
	case n < fail:
		s.answer, s.fault = errors.New("down"), Fault(random.IntN(2)) // StoreFault or LateFault
	case n < fail+refuse:
		s.refuse = true
	}
}

// leaving is the context of a caller who hangs up while the store is asked.
type leaving struct {
	context.Context
	looked bool
}

func (c *leaving) Err() error {
	if !c.looked {
		c.looked = true
		return nil
	}
	return context.Canceled
}

// TestCircuitIsThatOfABreakerThatIsAskedEachTime has a breaker see every call,
// beside a circuit whose breaker does not.
func TestCircuitIsThatOfABreakerThatIsAskedEachTime(t *testing.T) {
	t.Parallel()
	opened := 0
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { opened += compareBreakers(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
	if opened < 40 {
		t.Errorf("of 40 circuits %d changes were seen", opened)
	}
}

func compareBreakers(t *testing.T, random *rand.Rand) (changes int) {
	store := &moody{}
	l := New(store, WithDenyCache(0), WithLogger(slog.New(slog.DiscardHandler)))
	defer l.Close()
	state := CircuitClosed
	each := gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests: probes, Interval: countFor, BucketPeriod: countFor / countSlices, Timeout: openFor,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			done := n.TotalSuccesses + n.TotalFailures + n.TotalExclusions
			return n.ConsecutiveFailures >= failuresInRow && l.circuit.silent(n) ||
				done >= leastCalls && n.TotalFailures >= done/4*failuresInFour
		},
		OnStateChange: func(_ string, _, to gobreaker.State) { state, changes = stateOf(to), changes+1 },
		IsExcluded:    func(err error) bool { return err == errNoVerdict },
	})
	r := &Rule{Name: "a", Algorithm: FixedWindow, Limit: 1, Window: time.Second}
	pause := []time.Duration{0, time.Millisecond, 50 * time.Millisecond, 700 * time.Millisecond}
	fail, refuse, longest := 0, 0, pause[0]
	for i := range 3000 {
		if i%50 == 0 {
			fail, refuse, longest = random.IntN(11), random.IntN(11), pause[random.IntN(len(pause))]
		}
		time.Sleep(time.Duration(random.Int64N(int64(longest) + 1)))
		store.be(random, fail, refuse)
		ctx, hangsUp := t.Context(), random.IntN(20) == 0
		if hangsUp {
			ctx = &leaving{Context: ctx}
		}
		told := store.told(hangsUp, state == CircuitClosed)
		l.Acquire(ctx, r.For("k"))
		each.Execute(func() (struct{}, error) { return struct{}{}, told })
		if got := CircuitState(l.circuit.state.Load()); got != state {
			t.Fatalf("call %d, at %v: the circuit is %v, that of a breaker that sees all is %v", i, l.now(), got, state)
		}
	}
	return changes
}
