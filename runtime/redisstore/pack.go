package redisstore

import (
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// slack is how many milliseconds a key stays after its state has become
// worthless, see the frame of the scripts.
const slack = 500

// moment is what a command is told of the time. A store with an injected clock
// sends it, and expires its keys by a duration after base, else base is slack.
type moment struct {
	t, base int64
}

func (s *Store) moment() moment {
	if s.clock == nil {
		return moment{base: slack}
	}
	return moment{s.clock().UnixMicro(), time.Now().Truncate(time.Hour).Add(2 * time.Hour).UnixMilli()}
}

// pack makes the command that decides b.
func (s *Store) pack(b *ratelimit.Batch) *call {
	m := s.moment()
	if len(b.Items) > 1 {
		return s.packSeveral(b, m)
	}
	it := &b.Items[0]
	c := newCall(s.single[it.Rule.Algorithm])
	s.addKeys(c, b.Items)
	addItem(c, it, m)
	if it.Rule.Algorithm == ratelimit.SlidingWindow {
		c.addInt(numeral(it) - it.Limit - 1)
	}
	s.addMoment(c, m)
	return c
}

func (s *Store) packSeveral(b *ratelimit.Batch, m moment) *call {
	c := newCall(s.composite)
	s.addKeys(c, b.Items)
	c.addDoubles(int64(len(b.Items)), 1, 0)
	for i := range b.Items {
		it := &b.Items[i]
		c.addByte(rules.Algorithm(it.Rule.Algorithm).Info().Mark)
		addItem(c, it, m)
	}
	s.addMoment(c, m)
	return c
}

func (s *Store) addKeys(c *call, items []ratelimit.Item) {
	c.addInt(int64(len(items)))
	for i := range items {
		a := c.next()
		a.text = appendKey(append(a.text, s.prefix...), &items[i], s.clock != nil)
	}
}

// addItem adds what the script of the item's algorithm asks for, and the time
// to live of a state that is worthless in a window.
func addItem(c *call, it *ratelimit.Item, m moment) {
	window := it.Rule.Window.Microseconds()
	c.addDoubles(numeral(it), it.Limit, window)
	c.addInt(m.base + (window+999)/1000)
}

func (s *Store) addMoment(c *call, m moment) {
	if s.clock != nil {
		c.addDoubles(m.t, m.base)
	}
}

// numeral is the cost of it as a script can tell it from the limit: of the
// integers above 2^53 a double holds only the even ones.
func numeral(it *ratelimit.Item) int64 {
	if it.Cost > it.Limit {
		return ratelimit.MaxCost
	}
	return it.Cost
}
