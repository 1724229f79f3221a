package ratelimit

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// localCapacity is how many buckets are kept for FailLocal.
	localCapacity = 1 << 17

	// localRest is how long the buckets of FailLocal must not have been used
	// before the next outage begins with new ones. Without it a store that fails
	// now and then would be a new bucket for each failure.
	localRest = time.Minute
)

var localStores atomic.Pointer[func(capacity int) Store]

// RegisterLocal tells all Limiters how to open the store that [FailLocal]
// decides with: in this process, with at most so many buckets. Package memory
// does so, which every program has that links redisstore.
func RegisterLocal(open func(capacity int) Store) { localStores.Store(&open) }

// local decides in this process while the store cannot.
type local struct {
	share func() float64
	used  atomic.Int64 // when it was last, since the Limiter was made

	mu         sync.RWMutex // held for reading while store decides
	store      Store
	generation int64 // of store, from 1
	closed     bool
}

// fault is what keeps rules from failing so.
func (s *local) fault() string {
	switch {
	case s.share == nil:
		return "local needs WithLocalShare"
	case localStores.Load() == nil:
		return "local needs a store in this process: import " + "github.com/ratelimitgen/ratelimitgen/runtime/memory"
	}
	return ""
}

// fresh lets the outage that begins start with full buckets.
func (s *local) fresh(now time.Duration) {
	if now-time.Duration(s.used.Load()) < localRest {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *local) drop() {
	if s.store != nil {
		s.store.Close()
		s.store = nil
	}
}

func (s *local) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.drop()
}

// do has the store carry out b and tells which one it was.
func (s *local) do(ctx context.Context, b *Batch, now time.Duration) (generation int64, err error) {
	s.mu.RLock()
	for s.store == nil {
		s.mu.RUnlock()
		if !s.open() {
			return 0, errClosed
		}
		s.mu.RLock()
	}
	defer s.mu.RUnlock()
	s.used.Store(int64(now))
	return s.generation, s.store.Do(ctx, b)
}

// open reports whether there was or is now a store.
func (s *local) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store == nil && !s.closed {
		s.store = (*localStores.Load())(localCapacity)
		s.generation++
	}
	return !s.closed
}

// refund carries out b, whose items were charged by the store of a generation.
// Buckets that are gone need nothing back.
func (s *local) refund(ctx context.Context, b *Batch, generation int64) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.store == nil || s.generation != generation {
		return nil
	}
	return s.store.Do(ctx, b)
}
