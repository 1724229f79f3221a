package memory

import (
	"math/bits"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// several decides about several buckets under all their locks.
func (s *Store) several(b *ratelimit.Batch) error {
	var few [8]work
	works := few[:0]
	var locks lockSet
	for i := range b.Items {
		id := s.hasher.id(&b.Items[i])
		works = append(works, work{id: id})
		locks.add(shardOf(id.hash, len(s.shards)))
	}
	locks.lock(s.shards)
	defer locks.unlock(s.shards)
	if s.closed.Load() {
		return errClosed
	}
	s.decide(b, works)
	return nil
}

func (s *Store) decide(b *ratelimit.Batch, works []work) {
	b.Time, b.Allowed = s.clock.now(), true
	for i := range works {
		it, w := &b.Items[i], &works[i]
		w.bucket = s.shard(w.id.hash).find(&w.id, it)
		w.check(it, b.Time)
		b.Allowed = b.Allowed && it.Allowed
	}
	if !b.Allowed {
		return
	}
	// A new bucket may take the place of another of this batch, so those that
	// exist are charged first.
	for i := range works {
		if w := &works[i]; w.bucket != nil {
			s.charge(s.shard(w.id.hash), w, &b.Items[i], b.Time)
		}
	}
	for i := range works {
		if w := &works[i]; w.bucket == nil {
			s.charge(s.shard(w.id.hash), w, &b.Items[i], b.Time)
		}
	}
}

// lockSet is a set of shards, to be locked in order.
type lockSet [maxShards / 64]uint64

func (l *lockSet) add(shard int) { l[shard/64] |= 1 << (shard % 64) }

func (l *lockSet) lock(shards []shard) {
	for i, word := range l {
		for ; word != 0; word &= word - 1 {
			shards[i*64+bits.TrailingZeros64(word)].mu.Lock()
		}
	}
}

func (l *lockSet) unlock(shards []shard) {
	for i, word := range l {
		for ; word != 0; word &= word - 1 {
			shards[i*64+bits.TrailingZeros64(word)].mu.Unlock()
		}
	}
}
