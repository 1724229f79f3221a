package storetest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// The environment variables that rule the random traces.
const (
	// StepsVar is how many decisions are compared, 100,000 unless set; with
	// -short a tenth of that.
	StepsVar = "STORETEST_STEPS"
	// SeedVar is the seed of one trace, as a failure prints it. Only that one
	// is run then.
	SeedVar = "STORETEST_SEED"
)

const (
	defaultSteps  = 100_000
	stepsPerTrace = 250
)

func (s Suite) trace(t *testing.T) {
	b := s.open(t)
	if seed, ok := variable(t, SeedVar); ok {
		b.compare(t, seed)
		return
	}
	steps, given := variable(t, StepsVar)
	if !given {
		steps = defaultSteps
		if testing.Short() {
			steps /= 10
		}
	}
	for seed := range max(1, steps/stepsPerTrace) {
		b.compare(t, seed)
	}
	t.Logf("compared %d decisions with the oracle (%s=%d)", steps, StepsVar, steps)
}

func variable(t *testing.T, name string) (int64, bool) {
	text := os.Getenv(name)
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n, true
}

// compare runs the trace of one seed. It brings its own rules, so that it
// finds empty buckets in a store that other traces have used.
func (b *bench) compare(t *testing.T, seed int64) {
	g := newGenerator(seed)
	b.clock.Set(pick(g, []int64{0, epoch, epoch, epoch, epoch}))
	var past []moment
	for range stepsPerTrace {
		m := moment{time: g.time(b.clock.Micros()), items: g.items()}
		b.clock.Set(m.time)
		m.want, m.got = ask(t, b.oracle, m.items), b.ask(t, m.items)
		past = append(past, m)
		if fault := b.fault(t, m); fault != "" {
			t.Fatalf("%s\nThis is seed %d (%s=%d), step %d. What happened to these buckets:\n%s",
				fault, seed, SeedVar, seed, len(past)-1, story(past))
		}
		g.learn(m)
	}
}

func (b *bench) fault(t *testing.T, m moment) string {
	if !m.got.equal(m.want) {
		return fmt.Sprintf("got  %v\nwant %v", m.got, m.want)
	}
	return b.checkTTL(t, m.items, m.got)
}

// moment is one step of a trace.
type moment struct {
	time      int64
	items     []ratelimit.Item
	want, got Answer
}

// story tells the last moments that touched the buckets of the last one.
func story(past []moment) string {
	const most = 12
	touched := map[id]bool{}
	for i := range past[len(past)-1].items {
		touched[idOf(&past[len(past)-1].items[i])] = true
	}
	var lines []string
	for i := len(past) - 1; i >= 0 && len(lines) < most; i-- {
		if past[i].touches(touched) {
			lines = append(lines, past[i].String())
		}
	}
	var s strings.Builder
	for i := range lines {
		s.WriteString(lines[len(lines)-1-i])
	}
	return s.String()
}

func (m moment) touches(buckets map[id]bool) bool {
	for i := range m.items {
		if buckets[idOf(&m.items[i])] {
			return true
		}
	}
	return false
}

func (m moment) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "at %d:\n", m.time-epoch)
	for i := range m.items {
		fmt.Fprintf(&s, "    %s\n", show(&m.items[i]))
	}
	fmt.Fprintf(&s, "  got  %v\n", m.got)
	if !m.got.equal(m.want) {
		fmt.Fprintf(&s, "  want %v\n", m.want)
	}
	return s.String()
}

// generator makes the calls of a trace: few buckets, small limits, times that
// are at the edges of what the buckets do.
type generator struct {
	*rand.Rand
	rules []*ratelimit.Rule
	edges []int64 // times at which something may change
}

func newGenerator(seed int64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 17))}
	for i := range 1 + g.IntN(4) {
		g.rules = append(g.rules, g.rule(fmt.Sprintf("trace%d.rule%d", seed, i)))
	}
	return g
}

var windows = []time.Duration{
	time.Millisecond, time.Millisecond, 1009 * us, 7 * time.Millisecond, 999_983 * us,
	second, minute, time.Hour, 30 * 24 * time.Hour, 10 * 366 * 24 * time.Hour,
}

func (g *generator) rule(name string) *ratelimit.Rule {
	a := algorithms[g.IntN(len(algorithms))]
	return &ratelimit.Rule{Name: name, Algorithm: a, Limit: g.limit(a), Window: pick(g, windows)}
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

func (g *generator) limit(a ratelimit.Algorithm) int64 {
	if a == ratelimit.SlidingWindow || g.IntN(3) > 0 {
		return 1 + g.Int64N(12)
	}
	return pick(g, []int64{100, 1_000_000, 1_000_000_000, huge - 1, huge})
}

// items returns what one call asks for: distinct buckets.
func (g *generator) items() []ratelimit.Item {
	var items []ratelimit.Item
	seen := map[id]bool{}
	for range 1 + g.IntN(4)*g.IntN(2) {
		it := g.item()
		if key := idOf(&it); !seen[key] {
			seen[key] = true
			items = append(items, it)
		}
	}
	return items
}

func (g *generator) item() ratelimit.Item {
	r := pick(g, g.rules)
	it := ratelimit.Item{Rule: r, Key: pick(g, []string{"a", "a", "a", "b"}), Tag: "trace", Limit: r.Limit}
	if g.IntN(8) == 0 {
		it.Key, it.Broken = "", true
	}
	if g.IntN(6) == 0 {
		it.Limit = g.limit(r.Algorithm)
	}
	it.Cost = g.cost(it.Limit)
	return it
}

func (g *generator) cost(limit int64) int64 {
	switch n := g.IntN(20); {
	case n < 12 && limit < 100:
		return 1
	case n < 14:
		return limit
	case n == 14:
		return limit + 1
	case n == 15:
		return ratelimit.MaxCost
	default:
		return 1 + g.Int64N(limit)
	}
}

// lastTime is the end of all traces, in the year 2255: later times are not
// exact in the numbers of a Redis script.
const lastTime = 1<<53 - 1

// time returns when the next call comes.
func (g *generator) time(now int64) int64 { return min(g.anyTime(now), lastTime) }

func (g *generator) anyTime(now int64) int64 {
	switch n := g.IntN(20); {
	case n < 4:
		return now
	case n < 6:
		return now + 1
	case n < 13 && len(g.edges) > 0:
		if edge := pick(g, g.edges) + g.Int64N(3) - 1; edge >= now || g.IntN(8) == 0 {
			return edge
		}
		return now + g.Int64N(3)
	case n < 14:
		return g.stepBack(now)
	default:
		w := pick(g, g.rules).Window.Microseconds()
		return now + g.Int64N(1+w/pick(g, []int64{1, 4, 16}))
	}
}

// stepBack returns a time before now, a window or so.
func (g *generator) stepBack(now int64) int64 {
	w := pick(g, g.rules).Window.Microseconds()
	back := pick(g, []int64{1, w / 2, w - 1, w, w + 1, 2 * w, g.Int64N(3 * w)})
	return max(now-back, 0)
}

// learn remembers when the buckets of m change.
func (g *generator) learn(m moment) {
	const most = 16
	for i, r := range m.want.Results {
		w := m.items[i].Rule.Window.Microseconds()
		g.edges = append(g.edges, m.time+w, m.time+r.ResetAfter.Microseconds())
		if r.RetryAfter > 0 {
			g.edges = append(g.edges, m.time+r.RetryAfter.Microseconds())
		}
	}
	g.edges = g.edges[max(0, len(g.edges)-most):]
}
