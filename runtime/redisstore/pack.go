package redisstore

import (
	"slices"
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
	t    int64 // the client's, which decides only where it is injected; 0 if nobody has looked yet
	base int64 // from where expiries count, in milliseconds
}

func (s *Store) moment() moment {
	if s.clock == nil {
		return moment{0, slack}
	}
	return moment{s.clock().UnixMicro(), s.now().Truncate(time.Hour).Add(2 * time.Hour).UnixMilli()}
}

// clientTime is the time of m, for rules that follow the calendar.
func (s *Store) clientTime(m moment) int64 {
	if m.t == 0 && s.clock == nil {
		return s.now().UnixMicro()
	}
	return m.t
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
	case b.Op == ratelimit.OpRefund:
		return s.packRefund(b, m)
	case b.Op != ratelimit.OpAcquire || b.Partial || len(b.Items) > lua.MaxStraight || len(b.Items) > 1 && shadowed(b):
		return s.packComposite(b, m)
	}
	return s.packStraight(b, m)
}

func shadowed(b *ratelimit.Batch) bool {
	for i := range b.Items {
		if b.Items[i].Shadow {
			return true
		}
	}
	return false
}

// packStraight sorts the items by kind, so that few scripts do for all calls.
func (s *Store) packStraight(b *ratelimit.Batch, m moment) *call {
	c := newCall()
	var kinds [lua.MaxStraight]lua.Kind
	for i := range b.Items {
		at, kind := i, lua.KindOf(spec(b.Items[i].Rule))
		for ; at > 0 && kinds[at-1] > kind; at-- {
			kinds[at] = kinds[at-1]
		}
		kinds[at] = kind
		c.order = slices.Insert(c.order, at, i)
	}
	if len(b.Items) == 1 {
		c.use(s.scripts.Single(kinds[0]))
	} else {
		c.use(s.scripts.Straight(kinds[:len(b.Items)]))
	}
	if !patient(b) {
		c.repeat.script = s.scripts.Repeated(kinds[:len(b.Items)])
	}
	s.addKeys(c, b)
	for at, i := range c.order {
		it := &b.Items[i]
		c.repeat.cost = max(c.repeat.cost, cost(it))
		s.addItem(c, it, kinds[at], cost(it), m)
		if lua.Arguments(kinds[at]) > 2 {
			c.addInt(cost(it) - it.Limit - 1)
		}
	}
	c.repeat.at = len(c.args)
	s.addMoment(c, m)
	return c
}

// patient reports whether b may be refused although there is quota for it.
func patient(b *ratelimit.Batch) bool {
	for i := range b.Items {
		if b.Items[i].MaxDelay > 0 {
			return true
		}
	}
	return false
}

func kindsOf(b *ratelimit.Batch) lua.Kinds {
	var kinds lua.Kinds
	for i := range b.Items {
		kinds = kinds.With(lua.KindOf(spec(b.Items[i].Rule)))
	}
	return kinds
}

func (s *Store) packComposite(b *ratelimit.Batch, m moment) *call {
	c := newCall()
	c.use(s.scripts.Composite(kindsOf(b)))
	firm := c.arrange(b)
	part := mostPart(b)
	s.addKeys(c, b)
	c.addDoubles(int64(firm), flag(b.Op == ratelimit.OpAcquire), flag(b.Partial))
	for _, i := range c.order {
		it := &b.Items[i]
		kind := lua.KindOf(spec(it.Rule))
		c.addByte(kind.Mark())
		if b.Partial {
			s.addItem(c, it, kind, part, m)
		} else {
			s.addItem(c, it, kind, cost(it), m)
		}
	}
	s.addMoment(c, m)
	return c
}

// mostPart is the cost of b or, where that is less, the most that a call of all
// its items can cost, those in shadow apart.
func mostPart(b *ratelimit.Batch) int64 {
	part := b.Items[0].Cost
	for i := range b.Items {
		if it := &b.Items[i]; !it.Shadow {
			part = min(part, it.Rule.MaxCost(it.Limit))
		}
	}
	return numeral(part)
}

func (s *Store) packRefund(b *ratelimit.Batch, m moment) *call {
	c := newCall()
	c.use(s.scripts.Refunds(kindsOf(b)))
	for i := range b.Items {
		c.order = append(c.order, i)
	}
	s.addKeys(c, b)
	for i := range b.Items {
		it := &b.Items[i]
		kind := lua.KindOf(spec(it.Rule))
		c.addByte(kind.Mark())
		s.addItem(c, it, kind, it.Cost, m)
		c.addDoubles(it.Receipt)
	}
	s.addMoment(c, m)
	return c
}

func (s *Store) packReset(b *ratelimit.Batch, m moment) *call {
	c := newCall()
	c.use(s.scripts.Reset())
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
func (s *Store) addItem(c *call, it *ratelimit.Item, kind lua.Kind, cost int64, m moment) {
	window := it.Rule.Window.Microseconds()
	switch {
	case kind == lua.Calendar:
		w := s.windows.around(it.Rule, s.clientTime(m))
		c.addDoubles(cost, it.Limit, w[0], w[1], w[2], w[3], w[4])
	case it.Rule.Algorithm == ratelimit.TokenBucket:
		c.addDoubles(cost, it.Rule.Capacity(it.Limit), it.Limit, window)
	case it.Rule.Algorithm == ratelimit.LeakyBucket:
		c.addDoubles(cost, it.Rule.Capacity(it.Limit), it.Limit, window, patience(it))
	case it.Rule.Algorithm == ratelimit.SlidingWindow:
		c.addDoubles(cost, it.Limit, window, it.Rule.MaxCost(it.Limit))
	default:
		c.addDoubles(cost, it.Limit, window)
	}
	c.addInt(m.base + (window+999)/1000)
}

func (s *Store) addMoment(c *call, m moment) {
	if s.clock != nil {
		c.addDoubles(m.t, m.base)
	}
}

// cost is the cost of it, or MaxCost where that can never pass.
func cost(it *ratelimit.Item) int64 {
	if it.Cost > it.Rule.MaxCost(it.Limit) {
		return ratelimit.MaxCost
	}
	return it.Cost
}

// numeral is a cost as a double can hold it and tell it from one that can pass.
func numeral(cost int64) int64 {
	if cost > rules.MaxLimit {
		return ratelimit.MaxCost
	}
	return cost
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
