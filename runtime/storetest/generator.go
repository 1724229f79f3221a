package storetest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// generator makes the calls of a trace: few buckets, small limits, times that
// are at the edges of what the buckets do.
type generator struct {
	*rand.Rand
	suite Suite
	rules []*ratelimit.Rule
	edges []int64 // times at which something may change
}

func newGenerator(seed int64, s Suite) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(uint64(seed), 17)), suite: s}
	for i := range 1 + g.IntN(4) {
		g.rules = append(g.rules, g.rule(fmt.Sprintf("trace%d.rule%d", seed, i)))
	}
	return g
}

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

var (
	windows = []time.Duration{
		time.Millisecond, time.Millisecond, 1009 * us, 7 * time.Millisecond, 999_983 * us,
		second, minute, time.Hour, 30 * 24 * time.Hour, 10 * 366 * 24 * time.Hour,
	}
	words = []ratelimit.Calendar{
		ratelimit.Minute, ratelimit.Hour, ratelimit.Day, ratelimit.Week, ratelimit.Month,
	}
	zones = []string{"UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"}
)

// rule returns a rule without a fault.
func (g *generator) rule(name string) *ratelimit.Rule {
	if g.IntN(6) == 0 && g.suite.Only == nil {
		return &ratelimit.Rule{Name: name, Limit: g.limit(ratelimit.FixedWindow), Calendar: pick(g, words), Zone: pick(g, zones)}
	}
	for {
		a := pick(g, g.suite.algorithms())
		r := &ratelimit.Rule{Name: name, Algorithm: a, Limit: g.limit(a), Window: pick(g, windows), Burst: g.burst(a)}
		if good(r, r.Limit) {
			return r
		}
	}
}

// good reports whether r is without a fault under limit.
func good(r *ratelimit.Rule, limit int64) bool {
	s := rules.Spec{Algorithm: rules.Algorithm(r.Algorithm), Limit: limit, Window: r.Window, Burst: r.Burst}
	return s.Check() == nil
}

func (g *generator) limit(a ratelimit.Algorithm) int64 {
	if a == ratelimit.SlidingWindow || g.IntN(3) > 0 {
		return 1 + g.Int64N(12)
	}
	return pick(g, []int64{100, 1_000_000, 1_000_000_000, huge - 2, huge - 1, huge})
}

func (g *generator) burst(a ratelimit.Algorithm) int64 {
	switch {
	case a != ratelimit.TokenBucket && a != ratelimit.LeakyBucket || g.IntN(3) == 0:
		return 0
	case a == ratelimit.LeakyBucket && g.IntN(8) == 0:
		return ratelimit.NoQueue
	}
	return g.limit(a)
}

// span is the length of the windows of r, or about that.
func span(r *ratelimit.Rule) int64 {
	switch r.Calendar {
	case 0:
		return r.Window.Microseconds()
	case ratelimit.Minute:
		return minute.Microseconds()
	case ratelimit.Hour:
		return time.Hour.Microseconds()
	}
	begin, end := r.WindowAt(epoch)
	return end - begin
}

// demand returns what is asked of the oracle and of the store, which differ
// only in the receipts of a refund.
func (g *generator) demand(past []moment) (oracle, store demand) {
	if !g.suite.Operations {
		d := demand{items: g.items()}
		return d, d
	}
	d := demand{}
	switch n := g.IntN(100); {
	case n < 15:
		if oracle, store, ok := g.refund(past); ok {
			return oracle, store
		}
	case n < 25:
		d.op = ratelimit.OpPeek
	case n < 28:
		d.op = ratelimit.OpReset
	}
	d.items = g.items()
	if d.op == ratelimit.OpAcquire {
		g.shadow(&d)
	}
	if d.partial = d.op == ratelimit.OpAcquire && g.IntN(8) == 0; d.partial {
		for i := range d.items {
			d.items[i].Cost = d.items[0].Cost
		}
	}
	return d, d
}

// shadow puts some items in shadow, and at times one beside its own twin.
func (g *generator) shadow(d *demand) {
	for i := range d.items {
		d.items[i].Shadow = g.IntN(6) == 0
	}
	if g.IntN(8) == 0 {
		twin := pick(g, d.items)
		twin.Shadow = true
		d.items = append(d.items, twin)
	}
}

// refund gives back some of what a call of late took, at times not for the
// first time.
func (g *generator) refund(past []moment) (oracle, store demand, ok bool) {
	const late = 12
	of := past[max(0, len(past)-late):]
	if len(of) == 0 {
		return oracle, store, false
	}
	m := pick(g, of)
	oracle.op, store.op = ratelimit.OpRefund, ratelimit.OpRefund
	for i, it := range m.items {
		if !m.wrote(i, m.want) || m.op != ratelimit.OpAcquire {
			continue
		}
		if m.partial {
			it.Cost = m.want.Granted
		}
		it.Cost = 1 + g.Int64N(it.Cost)
		it.Receipt = m.want.receipts[i]
		oracle.items = append(oracle.items, it)
		it.Receipt = m.got.receipts[i]
		store.items = append(store.items, it)
	}
	return oracle, store, len(oracle.items) > 0
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
	if limit := g.limit(r.Algorithm); g.IntN(6) == 0 && good(r, limit) {
		it.Limit = limit
	}
	if g.IntN(4) == 0 {
		it.MaxDelay = micros(1 + g.Int64N(2*span(r)))
	}
	it.Cost = g.cost(r.Capacity(it.Limit))
	return it
}

func (g *generator) cost(capacity int64) int64 {
	switch n := g.IntN(20); {
	case n < 12 && capacity < 100:
		return 1
	case n < 14:
		return capacity
	case n == 14:
		return capacity + 1
	case n == 15:
		return ratelimit.MaxCost
	default:
		return 1 + g.Int64N(capacity)
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
		return now + g.Int64N(1+span(pick(g, g.rules))/pick(g, []int64{1, 4, 16}))
	}
}

// stepBack returns a time before now, a window or so.
func (g *generator) stepBack(now int64) int64 {
	w := span(pick(g, g.rules))
	back := pick(g, []int64{1, w / 2, w - 1, w, w + 1, 2 * w, g.Int64N(3 * w)})
	return max(now-back, 0)
}

// learn remembers when the buckets of m change.
func (g *generator) learn(m moment) {
	const most = 16
	for i, r := range m.want.Results {
		for _, after := range []int64{
			span(m.items[i].Rule), r.RetryAfter.Microseconds(), r.ResetAfter.Microseconds(), r.Delay.Microseconds(),
		} {
			if after > 0 {
				g.edges = append(g.edges, m.time+after)
			}
		}
	}
	g.edges = g.edges[max(0, len(g.edges)-most):]
}
