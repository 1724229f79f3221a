package memory

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	sweepEvery = time.Second
	// sweepRounds is how many sweeps see every bucket once.
	sweepRounds = 60
	// sweepChains is how many chains are swept under a lock at a time.
	sweepChains = 128
)

// sweeper is the timer that removes worthless buckets. It runs while there are
// buckets.
type sweeper struct {
	armed   atomic.Bool
	mu      sync.Mutex
	timer   *time.Timer
	closed  bool
	running sync.WaitGroup
}

func (w *sweeper) arm(s *Store) {
	if !w.armed.Load() && w.armed.CompareAndSwap(false, true) {
		w.start(s)
	}
}

func (w *sweeper) start(s *Store) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.running.Add(1)
	w.timer = time.AfterFunc(sweepEvery, func() {
		defer w.running.Done()
		s.sweepSome()
	})
}

func (w *sweeper) close() {
	w.mu.Lock()
	w.closed = true
	if w.timer != nil && w.timer.Stop() {
		w.running.Done()
	}
	w.mu.Unlock()
	w.running.Wait()
}

func (s *Store) sweepSome() {
	s.sweep.armed.Store(false) // from here on a new bucket arms it again
	s.clock.follow()
	left := 0
	for i := range s.shards {
		left += s.shards[i].sweep(s.clock.real())
	}
	if left > 0 {
		s.sweep.arm(s)
	}
}

// sweep removes the worthless buckets from the part of the shard whose turn it
// is, and returns how many buckets are left in the shard.
func (s *shard) sweep(idle int64) int {
	for todo := s.len()/sweepRounds + 1; todo > 0; todo -= sweepChains {
		s.sweepChains(min(todo, sweepChains), idle)
	}
	return s.len()
}

func (s *shard) sweepChains(n int, idle int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; n > 0 && s.table.count > 0; n-- {
		s.swept = (s.swept + 1) % len(s.table.chains)
		s.sweepChain(s.table.chains[s.swept], idle)
	}
}

func (s *shard) sweepChain(b *bucket, idle int64) {
	for b != nil {
		next := b.next
		if b.expires <= idle {
			s.table.remove(b)
		}
		b = next
	}
}
