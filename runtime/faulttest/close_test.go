package faulttest

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestCloseUnderLoad closes a limiter that fails open, while the store is well
// and while it is not. Nothing passes because it is closed, and nothing is left:
// that no goroutine is, is checked when all tests have ended.
func TestCloseUnderLoad(t *testing.T) {
	for _, name := range []string{"", "refused", "hang", "slow"} {
		for _, p := range policies[:3] {
			t.Run(name+" "+p.name, func(t *testing.T) {
				f := find(name)
				more := p.options()
				if f.begin == nil { // no call may fail because the machine is busy
					more = append(more, ratelimit.WithTimeout(10*time.Second))
				}
				r := newRig(t, f, options{batch: 64, deny: ratelimit.DefaultDenyAge, wait: 500 * time.Millisecond}, more...)
				crowd := crowd{limiter: r.limiter, hot: p.requests("hot", hotLimit), wide: p.requests("wide", wideLimit)}
				await(t, "Ready", func() bool { return r.limiter.Ready(t.Context()) == nil })
				crowd.begin()
				crowd.settled(100*time.Millisecond, 5*time.Second)
				if f.begin != nil {
					f.begin(r)
				}
				time.Sleep(20 * time.Millisecond)
				timers := watch(timeout)
				begun := crowd.now()
				if err := r.limiter.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
				ended := crowd.now()
				time.Sleep(20 * time.Millisecond)
				records, latest := crowd.end(), timers.stop()
				for _, c := range records {
					switch {
					case c.begin > ended && c.outcome != unavailable:
						t.Errorf("a call after Close: %v, %v", c.outcome, c.err)
					case c.end > begun+timeout+latest && c.outcome == passedDegraded:
						t.Errorf("a call passed after Close without the store")
					case f.begin == nil && c.outcome > refused && c.outcome != unavailable:
						t.Errorf("a call ended so: %v, %v", c.outcome, c.err)
					}
				}
				if took := ended - begun; took > 3*time.Second+latest {
					t.Errorf("Close took %v", took)
				}
				t.Logf("Close took %v", ended-begun)
				if f.end != nil {
					f.end(r)
				}
				r.close()
			})
		}
	}
}

func find(name string) fault {
	for _, f := range faults {
		if f.name == name {
			return f
		}
	}
	return fault{}
}
