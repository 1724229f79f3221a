package lineartest

import (
	"fmt"
	"math/rand/v2"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	callers        = 8
	callsPerCaller = 12
)

// plan is what a history is made from: two processes that have the same plan
// ask about the same buckets.
type plan struct {
	Seed int64

	// Given says that the store's clock is one that the callers set.
	Given bool
}

func (p plan) rand(stream int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(p.Seed), uint64(stream)))
}

// rules returns small ones, so that refusals and ends of windows are frequent.
func (p plan) rules() []*ratelimit.Rule {
	g := p.rand(-1)
	var rules []*ratelimit.Rule
	for i := range 1 + g.IntN(3) {
		r := &ratelimit.Rule{
			Name:      fmt.Sprintf("history%d.rule%d", p.Seed, i),
			Algorithm: ratelimit.Algorithm(g.IntN(5)),
			Limit:     2 + g.Int64N(7),
			Window:    time.Duration(1+g.IntN(20)) * time.Millisecond,
		}
		if r.Algorithm == ratelimit.TokenBucket || r.Algorithm == ratelimit.LeakyBucket {
			r.Burst = 1 + g.Int64N(8)
		}
		if r.Algorithm == ratelimit.FixedWindow && g.IntN(3) == 0 {
			r.Calendar, r.Window = ratelimit.Minute, 0
		}
		rules = append(rules, r)
	}
	return rules
}

// call is what a store was asked. It is the model's input.
type call struct {
	ID      int
	Op      ratelimit.Op
	Partial bool
	Items   []wanted
	Of      int // the call that a refund is of
}

// wanted is an item without its receipt.
type wanted struct {
	Rule        int
	Key         string
	Cost, Limit int64
	Shadow      bool
	MaxDelay    time.Duration
	At          int // of a refund: the place in the call that it is of
}

func (w wanted) item(rules []*ratelimit.Rule) ratelimit.Item {
	return ratelimit.Item{
		Rule: rules[w.Rule], Key: w.Key, Tag: "t",
		Cost: w.Cost, Limit: w.Limit, Shadow: w.Shadow, MaxDelay: w.MaxDelay,
	}
}

// answer is what a store said. It is the model's output.
type answer struct {
	Allowed       bool
	Time, Granted int64
	Results       []ratelimit.Result
}

// answerOf returns what b says. Receipts are each store's own affair.
func answerOf(b *ratelimit.Batch) (a answer, receipts []int64) {
	a = answer{Allowed: b.Allowed, Time: b.Time, Granted: b.Granted}
	for i := range b.Items {
		r := b.Items[i].Result
		receipts = append(receipts, r.Receipt)
		r.Receipt = 0
		a.Results = append(a.Results, r)
	}
	return a, receipts
}

// event is a call with its answer, and when it began and ended.
type event struct {
	Caller     int
	Begin, End int64
	Call       call
	Answer     answer
	receipts   []int64
}

// charged are the places of the items that e has charged.
func (e *event) charged() []int {
	var at []int
	for i, r := range e.Answer.Results {
		if e.Call.Op == ratelimit.OpAcquire && e.Answer.Allowed && r.Allowed {
			at = append(at, i)
		}
	}
	return at
}
