package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// scenario is a named case: calls at given times, and the answers written
// down by hand.
type scenario struct {
	name  string
	steps []step
}

type step struct {
	at       time.Duration // since the epoch of the tests; a whole number of microseconds
	items    []ratelimit.Item
	want     []ratelimit.Result
	verdicts []bool // where want is left to the oracle: what passes
}

const (
	us     = time.Microsecond
	minute = time.Minute
	huge   = int64(1) << 53
)

var algorithms = []ratelimit.Algorithm{
	ratelimit.FixedWindow, ratelimit.SlidingWindow, ratelimit.SlidingCounter,
	ratelimit.TokenBucket, ratelimit.LeakyBucket,
}

func (s Suite) cases(t *testing.T) {
	for _, c := range slices.Concat(
		fixedCases, calendarCases(), slidingCases, counterCases, tokenCases, leakyCases, commonCases(),
	) {
		if s.canPlay(c) {
			t.Run(c.name, func(t *testing.T) { s.play(t, c) })
		}
	}
}

func (s Suite) canPlay(c scenario) bool {
	for _, st := range c.steps {
		for i := range st.items {
			if !s.knows(st.items[i].Rule) {
				return false
			}
		}
	}
	return true
}

// play runs c against the store and against the oracle.
func (s Suite) play(t *testing.T, c scenario) {
	b := s.open(t)
	for i, st := range c.steps {
		b.clock.Set(epoch + st.at.Microseconds())
		want := ask(t, b.oracle, demand{items: st.items})
		if fault := st.fault(want); fault != "" {
			t.Fatalf("step %d: the oracle says\n%v, want\n%s", i, want, fault)
		}
		if got := b.ask(t, st.items); !got.equal(want) {
			t.Fatalf("step %d: got\n%v, want\n%v", i, got, want)
		}
		if fault := b.checkTTL(t, demand{items: st.items}, want); fault != "" {
			t.Fatalf("step %d: %s", i, fault)
		}
	}
}

// fault returns what a should be, or "" if it is.
func (s *step) fault(a Answer) string {
	if s.verdicts == nil {
		if want := (Answer{Allowed: passed(s.want), Time: epoch + s.at.Microseconds(), Results: s.want}); !a.equal(want) {
			return want.String()
		}
		return ""
	}
	for i, allowed := range s.verdicts {
		if a.Results[i].Allowed != allowed {
			return fmt.Sprintf("%s of item %d", word(allowed), i)
		}
	}
	return ""
}

func passed(results []ratelimit.Result) bool {
	return !slices.ContainsFunc(results, func(r ratelimit.Result) bool { return !r.Allowed })
}

func rule(name string, a ratelimit.Algorithm, limit int64, window time.Duration) *ratelimit.Rule {
	r := &ratelimit.Rule{Name: name, Algorithm: a, Limit: limit, Window: window}
	if a == ratelimit.LeakyBucket { // so that its capacity is the limit
		r.Burst = limit - 1
		if limit == 1 {
			r.Burst = ratelimit.NoQueue
		}
	}
	return r
}

func item(r *ratelimit.Rule, key string) ratelimit.Item {
	return ratelimit.Item{Rule: r, Key: key, Cost: 1, Limit: r.Limit}
}

// call is one call for one bucket.
func call(at time.Duration, r *ratelimit.Rule, cost int64, want ratelimit.Result) step {
	return callLimit(at, r, r.Limit, cost, want)
}

// callLimit is call with a limit other than the rule's.
func callLimit(at time.Duration, r *ratelimit.Rule, limit, cost int64, want ratelimit.Result) step {
	it := item(r, "k")
	it.Cost, it.Limit = cost, limit
	return step{at: at, items: []ratelimit.Item{it}, want: []ratelimit.Result{want}}
}

// calls is one call for several buckets.
func calls(at time.Duration, items []ratelimit.Item, want ...ratelimit.Result) step {
	return step{at: at, items: items, want: want}
}

// verdicts is one call for several buckets of which only what passes is
// written down.
func verdicts(at time.Duration, items []ratelimit.Item, allowed ...bool) step {
	return step{at: at, items: items, verdicts: allowed}
}

func pass(remaining int64, reset time.Duration) ratelimit.Result {
	return ratelimit.Result{Allowed: true, Remaining: remaining, ResetAfter: reset}
}

func refuse(remaining int64, retry, reset time.Duration) ratelimit.Result {
	return ratelimit.Result{Remaining: remaining, RetryAfter: retry, ResetAfter: reset}
}
