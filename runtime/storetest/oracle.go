package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// Oracle is a store that follows the package's definition word by word. It is
// slow and never forgets a bucket.
type Oracle struct {
	clock   func() time.Time
	mu      sync.Mutex
	closed  bool
	buckets map[id]*bucket
}

var errClosed = errors.New("storetest: oracle is closed")

// NewOracle returns an empty Oracle that decides by clock.
func NewOracle(clock func() time.Time) *Oracle {
	return &Oracle{clock: clock, buckets: map[id]*bucket{}}
}

// Ready returns nil.
func (o *Oracle) Ready(context.Context) error { return nil }

// Close makes later calls of Do fail.
func (o *Oracle) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return nil
}

// Do decides b.
func (o *Oracle) Do(ctx context.Context, b *ratelimit.Batch) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if o.closed {
		return errClosed
	}
	b.Time, b.Granted = o.clock().UnixMicro(), 0
	switch b.Op {
	case ratelimit.OpAcquire:
		o.acquire(b)
	case ratelimit.OpPeek:
		o.look(b)
	case ratelimit.OpRefund:
		o.refund(b)
	case ratelimit.OpReset:
		o.reset(b)
	default:
		return fmt.Errorf("storetest: no operation %d", b.Op)
	}
	return nil
}

type id struct {
	name      string
	algorithm ratelimit.Algorithm
	window    time.Duration
	calendar  ratelimit.Calendar
	zone      string
	tag, key  string
	broken    bool
}

func idOf(it *ratelimit.Item) id {
	r := it.Rule
	key := id{r.Name, r.Algorithm, r.Window, r.Calendar, r.Zone, it.Tag, it.Key, it.Broken}
	if r.Calendar != 0 && r.Zone == "" {
		key.zone = "UTC"
	}
	return key
}

func (o *Oracle) bucket(it *ratelimit.Item) *bucket {
	key := idOf(it)
	if o.buckets[key] == nil {
		o.buckets[key] = &bucket{newState(it.Rule)}
	}
	return o.buckets[key]
}

// Holds reports whether the bucket of it has a state, be it worthless: if not,
// a store has nothing of it.
func (o *Oracle) Holds(it *ratelimit.Item) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.buckets[idOf(it)]
	if b == nil {
		return false
	}
	_, ok := b.state.newest()
	return ok
}

// Reset returns how long it is from now until the bucket of it is as if never
// used, whatever limit is asked for.
func (o *Oracle) Reset(it *ratelimit.Item) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	b, t := o.bucket(it), o.clock().UnixMicro()
	return first(func(after int64) bool { return b.used(t+after, 0) == 0 })
}
