package memory

import (
	"math/bits"
)

const (
	maxShards = 128
	// minPerShard keeps shards large enough to fill evenly.
	minPerShard = 1024
	// maxTries bounds the search for a bucket that may go.
	maxTries = 32
)

// shard is a part of the store that grows and shrinks under one lock. It takes
// the whole of a line of the processor's cache, so that shards don't share any.
type shard struct {
	mu       lock
	table    table
	capacity int
	hand     uint32 // the page where the search for a bucket that may go continues
	finger   int    // the place there
	swept    uint32 // where the next sweep continues
}

func newShards(capacity int) []shard {
	n := 1
	for n < maxShards && capacity/(2*n) >= minPerShard {
		n *= 2
	}
	shards := make([]shard, n)
	for i := range shards {
		shards[i].capacity = (capacity + i) / n
	}
	return shards
}

// shardOf takes the bits of hash that tables don't.
func shardOf(hash uint64, shards int) int {
	high, _ := bits.Mul64(hash, uint64(shards))
	return int(high)
}

func (s *shard) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.count
}

func (s *shard) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table.clear()
}

// add adds b, which must not be there.
func (s *shard) add(b *bucket, c *clock) {
	if s.table.count >= s.capacity {
		s.evict(c)
	}
	s.table.add(b)
}

// forget removes a bucket that is held.
func (s *shard) forget(b *bucket) {
	s.table.remove(b)
	b.gone = true
	b.release()
}

// evict makes room for a bucket. The hand goes on behind each one that it has
// spared, so that none is looked at again before all others.
func (s *shard) evict(c *clock) {
	for tries := 0; ; {
		b := s.table.page(s.hand % s.table.pages.Load()).at(s.finger)
		if b == nil {
			s.hand, s.finger = s.hand+1, 0
			continue
		}
		if tries++; s.spared(b, c, tries) {
			s.finger++
			continue
		}
		return // another has taken its place
	}
}

// spared forgets b unless it is in use, or the last try.
func (s *shard) spared(b *bucket, c *clock, tries int) bool {
	held := b.held
	b.hold()
	if !b.touched || tries > maxTries || c.worthless(b, c.real()) {
		s.forget(b)
		return false
	}
	b.touched = false
	if !held {
		b.release()
	}
	return true
}
