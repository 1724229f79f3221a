package redisstore

import (
	"errors"
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var errOp = errors.New("redisstore: of the operations only a plain OpAcquire is supported yet")

// check refuses what can never be decided.
func (s *Store) check(b *ratelimit.Batch) error {
	if s.fault != nil {
		return s.fault
	}
	if b.Op != ratelimit.OpAcquire || b.Partial {
		return errOp
	}
	for i := range b.Items {
		if err := s.checkItem(b, &b.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) checkItem(b *ratelimit.Batch, it *ratelimit.Item) error {
	first := &b.Items[0]
	switch {
	case it.Shadow:
		return errOp
	case s.sharded && it != first && (it.Tag == "" || it.Tag != first.Tag):
		return fmt.Errorf("%w: %s and %s are asked together without a tag in common, so their buckets are on different nodes", ratelimit.ErrRule, first.Rule.Name, it.Rule.Name)
	}
	return nil
}

// sharded reports whether client spreads keys over several nodes.
func sharded(client redis.UniversalClient) bool {
	switch client.(type) {
	case *redis.ClusterClient, *redis.Ring:
		return true
	}
	return false
}

// pack makes the command that decides b.
func (s *Store) pack(b *ratelimit.Batch) *call {
	if len(b.Items) == 1 {
		c := newCall(s.single[b.Items[0].Rule.Algorithm])
		s.addKeys(c, b.Items)
		addRule(c, &b.Items[0])
		s.addTime(c)
		return c
	}
	c := newCall(s.composite)
	s.addKeys(c, b.Items)
	for i := range b.Items {
		c.addByte(rules.Algorithm(b.Items[i].Rule.Algorithm).Info().Mark)
		addRule(c, &b.Items[i])
	}
	s.addTime(c)
	return c
}

func (s *Store) addKeys(c *call, items []ratelimit.Item) {
	c.addInt(int64(len(items)))
	for i := range items {
		a := c.next()
		a.text = appendKey(append(a.text, s.prefix...), &items[i], s.clock != nil)
	}
}

func addRule(c *call, it *ratelimit.Item) {
	c.addInt(it.Limit)
	c.addInt(it.Rule.Window.Microseconds())
	c.addInt(numeral(it))
}

// numeral is the cost of it as a script can tell it from the limit: of the
// integers above 2^53 a double holds only the even ones.
func numeral(it *ratelimit.Item) int64 {
	if it.Cost > it.Limit {
		return ratelimit.MaxCost
	}
	return it.Cost
}

func (s *Store) addTime(c *call) {
	if s.clock != nil {
		c.addInt(s.clock().UnixMicro())
	}
}

const fields = 4 // of one bucket in a reply, after the time

// unpack writes a script's reply into b.
func unpack(b *ratelimit.Batch, reply []int64) error {
	if len(reply) != 1+fields*len(b.Items) {
		return fmt.Errorf("redisstore: a reply of %d numbers for %d buckets", len(reply), len(b.Items))
	}
	b.Time, b.Allowed = reply[0], true
	for i := range b.Items {
		b.Items[i].Result = result(reply[1+fields*i:])
		b.Allowed = b.Allowed && b.Items[i].Allowed
	}
	return nil
}

func result(r []int64) ratelimit.Result {
	return ratelimit.Result{
		Allowed:    r[0] == 1,
		Remaining:  r[1],
		RetryAfter: wait(r[2]),
		ResetAfter: wait(r[3]),
	}
}

func wait(us int64) time.Duration {
	if us < 0 {
		return ratelimit.Never
	}
	return time.Duration(us) * time.Microsecond
}
