package redisstore

import (
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
)

// slack is how many milliseconds a key stays after its state has become
// worthless, see the frame of the scripts.
const slack = 500

// moment is what a command is told of the time.
type moment struct {
	t    int64 // the client's, which decides only where it is injected
	base int64 // from where expiries count, in milliseconds
}

func (s *Store) moment() moment {
	if s.clock == nil {
		return moment{time.Now().UnixMicro(), slack}
	}
	return moment{s.clock().UnixMicro(), time.Now().Truncate(time.Hour).Add(2 * time.Hour).UnixMilli()}
}

func spec(r *ratelimit.Rule) rules.Spec {
	return rules.Spec{
		Algorithm: rules.Algorithm(r.Algorithm),
		Window:    r.Window,
		Calendar:  rules.Calendar(r.Calendar),
		Zone:      r.Zone,
	}
}

// pack makes the command for b.
func (s *Store) pack(b *ratelimit.Batch, m moment) *call {
	switch {
	case b.Op == ratelimit.OpReset:
		return s.packReset(b, m)
	case b.Op != ratelimit.OpAcquire || b.Partial || len(b.Items) > 1:
		return s.packComposite(b, m)
	}
	return s.packSingle(&b.Items[0], m)
}

func (s *Store) packSingle(it *ratelimit.Item, m moment) *call {
	kind := lua.KindOf(spec(it.Rule))
	c := newCall(s.scripts.Single(kind))
	c.order = append(c.order, 0)
	c.addInt(1)
	s.addKey(c, it)
	s.addItem(c, it, kind, m)
	if kind == lua.Kind(rules.SlidingWindow) {
		c.addInt(cost(it) - it.Limit - 1)
	}
	s.addMoment(c, m)
	return c
}

func (s *Store) packComposite(b *ratelimit.Batch, m moment) *call {
	var kinds lua.Kinds
	for i := range b.Items {
		kinds = kinds.With(lua.KindOf(spec(b.Items[i].Rule)))
	}
	c := newCall(s.scripts.Composite(kinds))
	firm := c.arrange(b)
	s.addKeys(c, b)
	c.addDoubles(int64(firm), flag(b.Op == ratelimit.OpAcquire), flag(b.Partial))
	for _, i := range c.order {
		it := &b.Items[i]
		kind := lua.KindOf(spec(it.Rule))
		c.addByte(kind.Mark())
		s.addItem(c, it, kind, m)
	}
	s.addMoment(c, m)
	return c
}

func (s *Store) packReset(b *ratelimit.Batch, m moment) *call {
	c := newCall(s.scripts.Reset())
	c.arrange(b)
	s.addKeys(c, b)
	s.addMoment(c, m)
	return c
}

// arrange puts the items in shadow behind the others, and returns how many
// those are.
func (c *call) arrange(b *ratelimit.Batch) int {
	for i := range b.Items {
		if !b.Items[i].Shadow {
			c.order = append(c.order, i)
		}
	}
	firm := len(c.order)
	for i := range b.Items {
		if b.Items[i].Shadow {
			c.order = append(c.order, i)
		}
	}
	return firm
}

func (s *Store) addKeys(c *call, b *ratelimit.Batch) {
	c.addInt(int64(len(c.order)))
	for _, i := range c.order {
		s.addKey(c, &b.Items[i])
	}
}

func (s *Store) addKey(c *call, it *ratelimit.Item) {
	a := c.next()
	a.text = appendKey(append(a.text, s.prefix...), it, s.clock != nil)
}

// addItem adds the cost and what the script of the kind asks for, and the time
// to live of a state that is worthless in a window.
func (s *Store) addItem(c *call, it *ratelimit.Item, kind lua.Kind, m moment) {
	window := it.Rule.Window.Microseconds()
	switch {
	case kind == lua.Calendar:
		w := s.windows.around(it.Rule, m.t)
		c.addDoubles(cost(it), it.Limit, w[0], w[1], w[2], w[3], w[4])
	case it.Rule.Algorithm == ratelimit.TokenBucket:
		c.addDoubles(cost(it), it.Rule.Capacity(it.Limit), it.Limit, window)
	case it.Rule.Algorithm == ratelimit.LeakyBucket:
		c.addDoubles(cost(it), it.Rule.Capacity(it.Limit), it.Limit, window, patience(it))
	default:
		c.addDoubles(cost(it), it.Limit, window)
	}
	c.addInt(m.base + (window+999)/1000)
}

func (s *Store) addMoment(c *call, m moment) {
	if s.clock != nil {
		c.addDoubles(m.t, m.base)
	}
}

// cost is the cost of it as a script can tell it from one that can pass: of
// the integers above 2^53 a double holds only the even ones.
func cost(it *ratelimit.Item) int64 {
	if it.Cost > it.Rule.MaxCost(it.Limit) {
		return ratelimit.MaxCost
	}
	return it.Cost
}

// patience is the longest delay in microseconds, below 0 where any will do.
func patience(it *ratelimit.Item) int64 {
	if it.MaxDelay == 0 {
		return -1
	}
	return min(it.MaxDelay.Microseconds(), rules.MaxDrain.Microseconds())
}

func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}
