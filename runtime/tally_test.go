package ratelimit

import (
	"sync"
	"testing"
	"time"
)

func TestTallyLosesNothing(t *testing.T) {
	t.Parallel()
	const goroutines, each = 3 * lanes, 1000
	var all tally
	var taken int64
	var counting sync.WaitGroup
	for g := range goroutines {
		counting.Go(func() {
			for range each {
				all.add(uint32(g))
			}
		})
	}
	for range 100 {
		taken += all.take()
	}
	counting.Wait()
	if got := taken + all.sum(); got != goroutines*each {
		t.Errorf("counted %d of %d", got, goroutines*each)
	}
}

func TestThrottleCountsInAllLanes(t *testing.T) {
	t.Parallel()
	var events throttle
	for lane := range uint32(2 * lanes) {
		if _, ok := events.pass(0, lane); ok != (lane == 0) {
			t.Errorf("event %d passes: %v", lane, ok)
		}
	}
	if missed, ok := events.pass(time.Second, 5); !ok || missed != 2*lanes-1 {
		t.Errorf("a second later: %v, %d missed", ok, missed)
	}
	if missed, ok := events.pass(2*time.Second, 0); !ok || missed != 0 {
		t.Errorf("another second later: %v, %d missed", ok, missed)
	}
}

// What a batch remembers is of one Limiter and of a name, however alike two
// rules or their names are.
func TestRecentRules(t *testing.T) {
	t.Parallel()
	var last recent
	var one, other registry
	first := &Rule{Name: "a.b", Algorithm: FixedWindow, Limit: 1, Window: time.Second}
	inOne, err := one.of(first, &last)
	if err != nil || inOne.by != &one || last.find(&one, "a.b") != inOne {
		t.Fatalf("got %v, %v", inOne, err)
	}
	for _, name := range []string{"c.b", "aab"} {
		if place(name) != place("a.b") || last.find(&one, name) != nil {
			t.Errorf("%q is taken for another name", name)
		}
	}
	if inOther, err := other.of(first, &last); err != nil || inOther.by != &other {
		t.Errorf("another registry: %v, %v", inOther, err)
	}
	if again, err := one.of(first, &last); err != nil || again != inOne {
		t.Errorf("the first registry again: %v, %v", again, err)
	}
	for change, do := range map[string]func(*Rule){
		"limit": func(r *Rule) { r.Limit++ }, "policy": func(r *Rule) { r.Fail = failures },
	} {
		changed := *first
		do(&changed)
		if _, err := one.of(&changed, &last); err == nil {
			t.Errorf("another %s is not noticed", change)
		}
	}
}
