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
	// sweepPages is how many pages are swept under a lock at a time.
	sweepPages = 32
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
		left += s.shards[i].sweep(&s.clock)
	}
	if left > 0 {
		s.sweep.arm(s)
	}
}

// sweep removes the worthless buckets from the part of the shard whose turn it
// is, and returns how many buckets are left in the shard.
func (s *shard) sweep(c *clock) int {
	for todo := s.len()/(pageLoad*sweepRounds) + 1; todo > 0; todo -= sweepPages {
		s.sweepSome(min(todo, sweepPages), c)
	}
	return s.len()
}

func (s *shard) sweepSome(pages int, c *clock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	real := c.real()
	for ; pages > 0 && s.table.count > 0; pages-- {
		s.swept = (s.swept + 1) % s.table.pages.Load()
		s.sweepPage(s.swept, c, real)
	}
}

// sweepPage removes what is worthless from a page, as long as there is one: the
// table may shrink meanwhile.
func (s *shard) sweepPage(page uint32, c *clock, real int64) {
	for i := 0; page < s.table.pages.Load(); {
		b := s.table.page(page).at(i)
		if b == nil {
			return
		}
		if b.hold(); c.worthless(b, real) {
			s.forget(b) // another takes its place
		} else {
			b.release()
			i++
		}
	}
}
