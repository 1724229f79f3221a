package main

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

const (
	worstLimit = 100
	worstBurst = 20
)

// bound is the most calls that a rule is said to admit in an interval as long
// as its window, both ends included, and the formula for it.
func bound(r *ratelimit.Rule) (formula string, most int64) {
	switch r.Algorithm {
	case ratelimit.SlidingWindow:
		return "limit", r.Limit
	case ratelimit.SlidingCounter:
		return "2 limit - 1", 2*r.Limit - 1
	case ratelimit.TokenBucket:
		return "burst + limit", r.Capacity(r.Limit) + r.Limit
	case ratelimit.LeakyBucket:
		return "1 + burst + limit", r.Capacity(r.Limit) + r.Limit
	}
	return "2 limit", 2 * r.Limit
}

// seen is the most that a load got out of a rule in one window.
type seen struct{ calls, turns int }

// press has a caller use r up from the last microsecond of a window on: it asks
// until it is refused, and again exactly when it is told to. Where it opens the
// window it has made one call at its beginning.
func press(r *ratelimit.Rule, opens bool) seen {
	s := newSimulation(0)
	defer s.close()
	var calls, turns storetest.Admitted
	ask := func() ratelimit.Decision {
		d := s.call(r)
		if d.Allowed {
			calls.Add(s.Micros(), 1)
			turns.Add(s.Micros()+d.Delay.Microseconds(), 1)
		}
		return d
	}
	if opens {
		ask()
	}
	s.Add(time.Minute - time.Microsecond)
	for end := epoch.Add(3 * time.Minute); s.Now().Before(end); {
		s.Add(ask().RetryAfter)
	}
	var most seen
	most.calls, _ = calls.Most(time.Minute)
	most.turns, _ = turns.Most(time.Minute)
	return most
}

// pressed is the most of both loads.
func pressed(r *ratelimit.Rule) seen {
	a, b := press(r, false), press(r, true)
	return seen{max(a.calls, b.calls), max(a.turns, b.turns)}
}

// worstRules are the rules of which the page says what they admit at worst.
func worstRules() []*ratelimit.Rule {
	var all []*ratelimit.Rule
	for _, r := range everyKind(worstLimit) {
		all = append(all, r)
		if rules.Algorithm(r.Algorithm).Info().Burst {
			small := *r
			small.Burst = worstBurst
			all = append(all, &small)
		}
	}
	return all
}

// worst says what each rule admits at worst, as it is stated and as it is seen.
func worst() string {
	t := page.Table{Head: []string{"rule", "stated", "for this rule", "seen"}}
	for _, r := range worstRules() {
		formula, most := bound(r)
		found := pressed(r)
		t.Add(title(r), formula, fmt.Sprint(most), fmt.Sprint(found.calls))
		if r.Algorithm == ratelimit.LeakyBucket {
			t.Add(title(r)+", turns", "1 + limit", fmt.Sprint(1+r.Limit), fmt.Sprint(found.turns))
		}
	}
	return t.Numbers()
}
