package storetest

import (
	"math/rand/v2"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// bound is the most calls that may pass in an interval of length d.
type bound struct {
	rule *ratelimit.Rule
	most func(d time.Duration) int64
	d    []time.Duration
}

const (
	boundLimit = 20
	boundBurst = 7
)

// bounds tests what each algorithm admits at worst: callers come in bursts at
// the edges of windows, and everything that passes is counted.
func (s Suite) bounds(t *testing.T) {
	window := []time.Duration{second}
	lengths := []time.Duration{time.Millisecond, 50 * time.Millisecond, 333_333 * us, second, 5 * second}
	rate := func(d time.Duration) int64 { return boundLimit * d.Microseconds() / second.Microseconds() }
	always := func(n int64) func(time.Duration) int64 { return func(time.Duration) int64 { return n } }
	for _, b := range []bound{
		{rule("bound", ratelimit.FixedWindow, boundLimit, second), always(2 * boundLimit), window},
		{rule("bound", ratelimit.SlidingWindow, boundLimit, second), always(boundLimit), window},
		{rule("bound", ratelimit.SlidingCounter, boundLimit, second), always(2*boundLimit - 1), window},
		{bucketOf("bound", ratelimit.TokenBucket, boundLimit, boundBurst, second),
			func(d time.Duration) int64 { return boundBurst + rate(d) }, lengths},
		{bucketOf("bound", ratelimit.LeakyBucket, boundLimit, boundBurst, second),
			func(d time.Duration) int64 { return 1 + boundBurst + rate(d) }, lengths},
	} {
		if s.knows(b.rule) {
			t.Run(b.rule.Algorithm.String(), func(t *testing.T) { s.bound(t, b) })
		}
	}
}

func (s Suite) bound(t *testing.T, want bound) {
	passed, turns := s.press(t, want.rule)
	for _, d := range want.d {
		if most, begin := passed.Most(d); int64(most) > want.most(d) {
			t.Errorf("%d calls passed within %v from %d, want at most %d", most, d, begin-epoch, want.most(d))
		}
		turnsMost := 1 + (boundLimit*d.Microseconds()+999_999)/1_000_000
		if most, begin := turns.Most(d); want.rule.Algorithm == ratelimit.LeakyBucket && int64(most) > turnsMost {
			t.Errorf("%d turns came within %v from %d, want at most %d", most, d, begin-epoch, turnsMost)
		}
	}
	if n := passed.Count(); n < boundLimit*10 {
		t.Errorf("only %d calls passed", n)
	}
}

// press calls for about thirty windows and returns what passed, and when it
// was its turn.
func (s Suite) press(t *testing.T, r *ratelimit.Rule) (passed, turns *Admitted) {
	g := rand.New(rand.NewPCG(3, 4))
	b := s.open(t)
	passed, turns = new(Admitted), new(Admitted)
	end := b.clock.Micros() + 30*r.Window.Microseconds()
	for b.clock.Micros() < end {
		for range 1 + g.IntN(2*boundLimit) {
			if a := b.ask(t, []ratelimit.Item{item(r, "k")}); a.Allowed {
				passed.Add(a.Time, 1)
				turns.Add(a.Time+a.Results[0].Delay.Microseconds(), 1)
			}
		}
		b.clock.Set(pause(g, b.clock.Micros(), r.Window.Microseconds()))
	}
	return passed, turns
}

// pause returns when the next burst comes: soon, or about the edge of a window
// that is aligned.
func pause(g *rand.Rand, now, w int64) int64 {
	switch g.IntN(3) {
	case 0:
		return now + 1 + g.Int64N(w/20)
	case 1:
		return now + 1 + g.Int64N(w)
	}
	return max(now+1, (now/w+1)*w+g.Int64N(7)-3)
}
