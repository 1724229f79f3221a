package memory

import (
	"math/bits"
	"strings"
	"sync"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	maxShards = 256
	// minPerShard keeps shards large enough to fill evenly.
	minPerShard = 1024
	// maxTries bounds the search for a bucket that may go.
	maxTries = 32
)

// shard is a part of the store under one lock.
type shard struct {
	mu       sync.Mutex
	table    table
	capacity int
	hand     int      // where the search for a bucket that may go continues
	swept    int      // where the next sweep continues
	_        [56]byte // to two cache lines, so that shards don't share any
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
	return int(bits.Reverse64(hash) & uint64(shards-1))
}

func (s *shard) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.count
}

func (s *shard) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table = table{}
}

// find returns the bucket of it, or nil.
func (s *shard) find(d *id, it *ratelimit.Item) *bucket {
	b := s.table.find(d, it.Rule)
	if b != nil {
		b.touched = true
	}
	return b
}

// insert adds the bucket of it, which must not exist.
func (s *shard) insert(d *id, it *ratelimit.Item, idle int64) *bucket {
	if s.table.count >= s.capacity {
		s.table.remove(s.victim(idle))
	}
	b := &bucket{
		hash: d.hash,
		rule: it.Rule,
		key:  strings.Clone(d.key),
		tag:  strings.Clone(d.tag),
		kind: d.kind,
	}
	s.table.add(b)
	return b
}

// victim returns the bucket that makes room for another. The hand leaves each
// chain that it has looked at, so that a bucket which has just been spared is
// not looked at again before all others.
func (s *shard) victim(idle int64) *bucket {
	for tries := 0; ; {
		b := s.table.chain(s.hand)
		s.hand++
		for ; b != nil; b = b.next {
			if tries++; b.expires <= idle || !b.touched || tries > maxTries {
				return b
			}
			b.touched = false
		}
	}
}
