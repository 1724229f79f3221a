package redisstore

import (
	"fmt"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// check refuses what can never be decided.
func (s *Store) check(b *ratelimit.Batch) error {
	if s.fault != nil {
		return s.fault
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
