package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Clone returns an oracle that has counted what o has, and decides by clock.
func (o *Oracle) Clone(clock func() time.Time) *Oracle {
	o.mu.Lock()
	defer o.mu.Unlock()
	c := NewOracle(clock)
	c.closed = o.closed
	for key, b := range o.buckets {
		c.buckets[key] = &bucket{clone(b.state)}
	}
	return c
}

// State returns a text that is the same for two oracles if and only if they
// have counted the same in all their buckets.
func (o *Oracle) State() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var lines []string
	for key, b := range o.buckets {
		if _, ok := b.state.newest(); ok {
			lines = append(lines, fmt.Sprintf("%v %s\n", key, text(b.state)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func clone(of state) state {
	switch s := of.(type) {
	case *fixed:
		c := *s
		return &c
	case *calendar:
		c := *s
		return &c
	case *counter:
		c := *s
		return &c
	case *sliding:
		return &sliding{window: s.window, accepted: slices.Clone(s.accepted)}
	case *level:
		c := new(level)
		s.copyTo(c)
		return c
	case *leaky:
		c := new(leaky)
		s.copyTo(&c.level)
		return c
	}
	panic(fmt.Sprintf("storetest: no clone of a %T", of))
}

func (l *level) copyTo(c *level) {
	c.window, c.last, c.rate = l.window, l.last, l.rate
	c.units.Set(&l.units)
}

func text(of state) string {
	switch s := of.(type) {
	case *fixed:
		return fmt.Sprint(s.start, s.count)
	case *calendar:
		return fmt.Sprint(s.start, s.count)
	case *counter:
		return fmt.Sprint(s.start, s.count, s.before)
	case *sliding:
		return fmt.Sprint(s.accepted)
	case *level:
		return fmt.Sprint(&s.units, s.last, s.rate)
	case *leaky:
		return fmt.Sprint(&s.units, s.last, s.rate)
	}
	panic(fmt.Sprintf("storetest: no text of a %T", of))
}
