package lineartest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// model is the oracle, as it is after some calls of a history. It is never
// changed.
type model struct {
	oracle   *storetest.Oracle
	receipts map[int][]int64 // of the calls that charged and that a refund is of
	state    string
}

// guide is what a model needs to know of the history.
type guide struct {
	rules    []*ratelimit.Rule
	refunded map[int]bool // the calls that a refund is of
}

// modelOf returns what events of p must look like.
func modelOf(p plan, events []event) porcupine.Model {
	g := &guide{p.rules(), map[int]bool{}}
	for _, e := range events {
		if e.Call.Op == ratelimit.OpRefund {
			g.refunded[e.Call.Of] = true
		}
	}
	return porcupine.Model{
		Init: func() any { return &model{oracle: storetest.NewOracle(nil)} },
		Step: func(state, input, output any) (bool, any) {
			return state.(*model).step(g, input.(call), output.(answer))
		},
		Equal:             func(a, b any) bool { return a.(*model).state == b.(*model).state },
		DescribeOperation: func(input, output any) string { return describe(input.(call), output.(answer)) },
		DescribeState:     func(state any) string { return state.(*model).state },
	}
}

// step has the oracle answer at the time at which the store has.
func (m *model) step(g *guide, c call, said answer) (bool, *model) {
	b := &ratelimit.Batch{Op: c.Op, Partial: c.Partial}
	for _, w := range c.Items {
		it := w.item(g.rules)
		if c.Op == ratelimit.OpRefund {
			of, ok := m.receipts[c.Of]
			if !ok {
				return false, m
			}
			it.Receipt = of[w.At]
		}
		b.Items = append(b.Items, it)
	}
	oracle := m.oracle.Clone(func() time.Time { return time.UnixMicro(said.Time) })
	if err := oracle.Do(context.Background(), b); err != nil {
		return false, m
	}
	says, receipts := answerOf(b)
	if !says.equal(said) {
		return false, m
	}
	return true, m.after(g, oracle, c, says, receipts)
}

func (m *model) after(g *guide, oracle *storetest.Oracle, c call, said answer, receipts []int64) *model {
	next := &model{oracle: oracle, receipts: m.receipts}
	if c.Op == ratelimit.OpAcquire && said.Allowed && g.refunded[c.ID] {
		next.receipts = maps.Clone(m.receipts)
		if next.receipts == nil {
			next.receipts = map[int][]int64{}
		}
		next.receipts[c.ID] = receipts
	}
	next.state = fmt.Sprint(oracle.State(), next.receipts) // maps are printed in order
	return next
}

func (a answer) equal(b answer) bool {
	return a.Allowed == b.Allowed && a.Time == b.Time && a.Granted == b.Granted && slices.Equal(a.Results, b.Results)
}

func describe(c call, a answer) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s", [...]string{"acquire", "peek", "refund", "reset"}[c.Op])
	if c.Partial {
		s.WriteString(" at most")
	}
	if c.Op == ratelimit.OpRefund {
		fmt.Fprintf(&s, " of %d", c.Of)
	}
	fmt.Fprintf(&s, ": allowed=%v at %d", a.Allowed, a.Time)
	if a.Granted != 0 {
		fmt.Fprintf(&s, " granted=%d", a.Granted)
	}
	for i, w := range c.Items {
		fmt.Fprintf(&s, " [rule%d/%s cost=%d limit=%d", w.Rule, w.Key, w.Cost, w.Limit)
		if w.Shadow {
			s.WriteString(" shadow")
		}
		if w.MaxDelay != 0 {
			fmt.Fprintf(&s, " maxdelay=%v", w.MaxDelay)
		}
		r := a.Results[i]
		fmt.Fprintf(&s, ": allowed=%v remaining=%d retry=%v reset=%v delay=%v]",
			r.Allowed, r.Remaining, r.RetryAfter, r.ResetAfter, r.Delay)
	}
	return s.String()
}
