package memory

import "time"

// DefaultCapacity is how many buckets a store holds unless [WithCapacity] says
// otherwise.
const DefaultCapacity = 1 << 20

// Option changes how New makes a store.
type Option func(*options)

type options struct {
	capacity int
	clock    func() time.Time
}

// WithCapacity bounds the store to n buckets, at least 1. Up to some thousand
// of them the bound is met exactly; above, a part of the store may be full when
// the whole is still a few percent below n.
func WithCapacity(n int) Option {
	return func(o *options) { o.capacity = max(1, n) }
}

// WithClock replaces the clock that decides, for tests and simulations. It is
// called with locks held and must not call the store. As such a clock says
// nothing about how long a bucket has been idle, buckets go by themselves only
// after an hour of real time without a charge.
func WithClock(clock func() time.Time) Option {
	return func(o *options) { o.clock = clock }
}
