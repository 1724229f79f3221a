package redisstore

import "time"

// Option is an option of [New].
type Option func(*Store)

// WithPrefix sets what every key begins with, in place of "ratelimit:". Give
// each service a prefix of its own. It must hold no brace.
func WithPrefix(prefix string) Option {
	return func(s *Store) { s.prefix = prefix }
}

// WithClock sets the clock that decides, in place of Redis's own, for tests
// and simulations. The keys of such a store are marked and are no others'
// buckets; as time in tests need not go as time goes, they stay for an hour at
// least.
func WithClock(now func() time.Time) Option {
	return func(s *Store) { s.clock = now }
}

// WithBatching sets how many decisions share a round trip at most, in place of
// 64; 0 or 1 turns batching off. Nothing waits for a batch to fill: the
// decisions that come while others are in flight go out together.
//
// On a Cluster and a Ring batches go to the clients of the nodes, past the
// hooks of the whole client, see [redis.ClusterClient.OnNewNode]. A
// client that is none of the library's own is asked one decision at a time.
func WithBatching(decisions int) Option {
	return func(s *Store) { s.batch = decisions }
}
