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
