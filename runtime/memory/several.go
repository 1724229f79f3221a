package memory

import (
	"math/bits"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// work is one item under decision.
type work struct {
	id     id
	bucket *bucket // held; nil if there is none yet
	sight          // what check has found
}

// several carries out b under the locks of all its shards, where nothing comes or
// goes but by b, and of all its buckets.
func (s *Store) several(b *ratelimit.Batch) error {
	var few [8]work
	works := few[:0]
	var locks lockSet
	for i := range b.Items {
		works = append(works, work{})
		s.hasher.name(&works[i].id, &b.Items[i])
		locks.add(shardOf(works[i].id.hash, len(s.shards)))
	}
	locks.lock(s.shards)
	defer locks.unlock(s.shards)
	defer func() { release(works) }()
	if s.closed.Load() {
		return errClosed
	}
	b.Time, b.Granted = s.clock.now(), 0
	s.carryOut(b, works)
	return nil
}

func release(works []work) {
	for i := range works {
		if b := works[i].bucket; b != nil {
			b.release()
		}
	}
}

func (s *Store) carryOut(b *ratelimit.Batch, works []work) {
	switch b.Op {
	case ratelimit.OpPeek:
		s.look(b, works)
	case ratelimit.OpRefund:
		s.refund(b, works)
	case ratelimit.OpReset:
		s.reset(b, works)
	default:
		s.acquire(b, works)
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
