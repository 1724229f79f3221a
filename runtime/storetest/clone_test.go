package storetest

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestClone tests that a clone goes its own way from where the oracle was.
func TestClone(t *testing.T) {
	rules := []*ratelimit.Rule{{Name: "calendar", Limit: 5, Calendar: ratelimit.Minute}}
	for _, a := range algorithms {
		rules = append(rules, rule(a.String(), a, 5, minute))
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			clock := NewClock(epoch)
			o := NewOracle(clock.Now)
			two := demand{items: []ratelimit.Item{tagged(r, "k", 2)}}
			ask(t, o, two)
			c := o.Clone(clock.Now)
			before := o.State()
			if before == "" || c.State() != before {
				t.Fatalf("the clone holds %q, the oracle %q", c.State(), before)
			}
			clock.Add(time.Millisecond)
			got := ask(t, c, two)
			if o.State() != before || c.State() == before {
				t.Errorf("a charge of the clone left it at %q, the oracle at %q", c.State(), o.State())
			}
			if want := ask(t, o, two); !got.equal(want) || c.State() != o.State() {
				t.Errorf("the clone says %v, the oracle %v", got, want)
			}
		})
	}
}
