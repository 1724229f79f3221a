package memory

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync/atomic"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// Store is a [ratelimit.Store] in memory. Make one with New.
type Store struct {
	clock  clock
	hasher hasher
	shards []shard
	closed atomic.Bool
	sweep  sweeper
}

var errClosed = errors.New("memory: the store is closed")

// New returns an empty store.
func New(opts ...Option) *Store {
	o := options{capacity: DefaultCapacity}
	for _, opt := range opts {
		opt(&o)
	}
	s := &Store{shards: newShards(o.capacity)}
	s.hasher.seed = maphash.MakeSeed()
	s.clock.init(o.clock)
	return s
}

// Instant implements [ratelimit.Instant].
func (s *Store) Instant(of ratelimit.Store) bool { return of == s }

// Ready returns an error if the store is closed.
func (s *Store) Ready(context.Context) error {
	if s.closed.Load() {
		return errClosed
	}
	return nil
}

// Close lets go of all buckets. Later calls of Do fail.
func (s *Store) Close() error {
	if s.closed.CompareAndSwap(false, true) {
		s.sweep.close()
		for i := range s.shards {
			s.shards[i].clear()
		}
	}
	return nil
}

// Len returns how many buckets the store holds, worthless ones included that
// have not gone yet.
func (s *Store) Len() int {
	n := 0
	for i := range s.shards {
		n += s.shards[i].len()
	}
	return n
}

// Do decides b at once: b's deadline has no meaning here. It returns ctx's
// error if ctx has ended.
func (s *Store) Do(ctx context.Context, b *ratelimit.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if plain(b) {
		return s.one(b)
	}
	if err := fault(b); err != nil {
		return err
	}
	return s.several(b)
}

// plain reports whether b is what nearly all are.
func plain(b *ratelimit.Batch) bool {
	return len(b.Items) == 1 && b.Op == ratelimit.OpAcquire && !b.Partial && !b.Items[0].Shadow &&
		b.Items[0].Rule.Algorithm < algorithms
}

func fault(b *ratelimit.Batch) error {
	if b.Op > ratelimit.OpReset {
		return fmt.Errorf("memory: there is no operation %d", b.Op)
	}
	for i := range b.Items {
		if a := b.Items[i].Rule.Algorithm; a >= algorithms {
			return fmt.Errorf("memory: %w: there is no algorithm %d", ratelimit.ErrRule, a)
		}
	}
	return nil
}

// one decides about a single bucket.
func (s *Store) one(b *ratelimit.Batch) error {
	var d id
	s.hasher.name(&d, &b.Items[0])
	early, sh := s.clock.early(), s.shard(d.hash)
	if found := sh.table.find(&d); found != nil && s.known(found, b, early) {
		return nil
	}
	return s.rare(sh, &d, b)
}

// known decides about a bucket that was found without a lock on its shard, unless
// it has gone since.
func (s *Store) known(found *bucket, b *ratelimit.Batch, early int64) bool {
	found.mu.Lock()
	here := !found.gone
	if here {
		found.touch()
		s.decide(found, b, s.clock.settle(early, found))
	}
	found.mu.Unlock()
	return here
}

// rare decides about a bucket that is not there, or was not found.
func (s *Store) rare(sh *shard, d *id, b *ratelimit.Batch) error {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if s.closed.Load() {
		return errClosed
	}
	if found := sh.table.find(d); found != nil {
		s.known(found, b, s.clock.early())
		return nil
	}
	fresh := newBucket(d)
	if s.decide(fresh, b, s.clock.now()); b.Allowed {
		sh.add(fresh, &s.clock)
		s.sweep.arm(s)
	}
	return nil
}

func (s *Store) decide(of *bucket, b *ratelimit.Batch, t int64) {
	it := &b.Items[0]
	v := of.check(it, t)
	b.Time, b.Allowed, b.Granted = t, it.Allowed, 0
	if !it.Allowed {
		of.reset(it, v, t)
		return
	}
	of.charge(it, v, t)
	s.clock.mark(of)
}

func (s *Store) shard(hash uint64) *shard {
	return &s.shards[shardOf(hash, len(s.shards))]
}
