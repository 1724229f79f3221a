package lineartest

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// caller asks at random, one call after the other.
type caller struct {
	*rand.Rand
	number int
	plan   plan
	rules  []*ratelimit.Rule
	store  ratelimit.Store
	clock  *storetest.Clock
	tick   func() int64 // orders all events of a history
	past   []event
}

func newCaller(p plan, number int, s stores, tick func() int64) *caller {
	return &caller{
		Rand: p.rand(number), number: number, plan: p, rules: p.rules(),
		store: s.of(p), clock: s.clock, tick: tick,
	}
}

// stores are those of one process: by a clock that is the store's, and by one
// that the callers set.
type stores struct {
	real, given ratelimit.Store
	clock       *storetest.Clock
}

func (s stores) of(p plan) ratelimit.Store {
	if p.Given {
		return s.given
	}
	return s.real
}

func (c *caller) run() error {
	for range callsPerCaller {
		c.pass()
		if err := c.ask(c.next()); err != nil {
			return err
		}
	}
	return nil
}

// pass lets time pass, at times: a given clock steps, also back.
func (c *caller) pass() {
	switch n := c.IntN(24); {
	case !c.plan.Given && n < 4:
		time.Sleep(time.Duration(c.IntN(1500)) * time.Microsecond)
	case c.plan.Given && n < 4:
		c.clock.Add(time.Duration(c.IntN(8_000)) * time.Microsecond)
	case c.plan.Given && n == 4:
		c.clock.Add(-time.Duration(c.IntN(30_000)) * time.Microsecond)
	}
}

func (c *caller) ask(next call, receipts []int64) error {
	b := ratelimit.NewBatch()
	defer b.Release()
	b.Op, b.Partial, b.Deadline = next.Op, next.Partial, time.Now().Add(30*time.Second)
	for i, w := range next.Items {
		it := w.item(c.rules)
		if receipts != nil {
			it.Receipt = receipts[i]
		}
		b.Items = append(b.Items, it)
	}
	e := event{Caller: c.number, Call: next, Begin: c.tick()}
	c.yield()
	err := c.store.Do(context.Background(), b)
	c.yield()
	e.End = c.tick()
	e.Answer, e.receipts = answerOf(b)
	c.past = append(c.past, e)
	return err
}

// yield lets others go on, at times. A store in memory answers before anybody
// else is awake.
func (c *caller) yield() {
	if c.IntN(2) == 0 {
		runtime.Gosched()
	}
}

// next returns the next call, with the receipts of a refund.
func (c *caller) next() (call, []int64) {
	next := call{ID: c.number*callsPerCaller + len(c.past)}
	switch n := c.IntN(20); {
	case n < 4:
		if receipts := c.refund(&next); receipts != nil {
			return next, receipts
		}
	case n < 6:
		next.Op = ratelimit.OpPeek
	case n < 7:
		next.Op = ratelimit.OpReset
	case n < 9:
		next.Partial = true
	}
	next.Items = c.items()
	if next.Op == ratelimit.OpAcquire && c.IntN(4) == 0 {
		c.shadow(&next)
	}
	if next.Partial {
		for i := range next.Items {
			next.Items[i].Cost = next.Items[0].Cost
		}
	}
	return next, nil
}

// items are one of each rule that is asked.
func (c *caller) items() []wanted {
	var items []wanted
	for _, i := range c.Perm(len(c.rules))[:1+c.IntN(len(c.rules))] {
		w := wanted{Rule: i, Key: "k", Cost: 1, Limit: c.rules[i].Limit}
		if c.IntN(8) == 0 {
			w.Key = "l"
		}
		if c.IntN(4) == 0 {
			w.Cost += c.Int64N(3)
		}
		if c.IntN(8) == 0 {
			w.Limit++
		}
		if c.rules[i].Algorithm == ratelimit.LeakyBucket && c.IntN(4) == 0 {
			w.MaxDelay = time.Duration(1+c.IntN(8_000)) * time.Microsecond
		}
		items = append(items, w)
	}
	return items
}

// shadow puts the last item in shadow, or a twin of it behind it.
func (c *caller) shadow(next *call) {
	last := next.Items[len(next.Items)-1]
	last.Shadow = true
	if c.IntN(2) == 0 {
		next.Items[len(next.Items)-1] = last
		return
	}
	next.Items = append(next.Items, last)
}

// refund makes next one of a call of this caller that charged, which is not
// always the first of it.
func (c *caller) refund(next *call) (receipts []int64) {
	if len(c.past) == 0 {
		return nil
	}
	of := &c.past[len(c.past)-1-c.IntN(min(4, len(c.past)))]
	for _, at := range of.charged() {
		w := of.Call.Items[at]
		if of.Call.Partial {
			w.Cost = of.Answer.Granted
		}
		w.Cost, w.At = 1+c.Int64N(w.Cost), at
		next.Items = append(next.Items, w)
		receipts = append(receipts, of.receipts[at])
	}
	next.Op, next.Of = ratelimit.OpRefund, of.Call.ID
	if receipts == nil {
		next.Op = ratelimit.OpAcquire
	}
	return receipts
}
