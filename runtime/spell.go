package ratelimit

import (
	"sync"
	"sync/atomic"
	"time"
)

// spell is a time for which the circuit is closed. The breaker takes a lock, which
// would be one for all calls. So calls go past it: the spell counts those that do
// not fail, and the breaker is told of the others, and of the next good answer,
// which ends their row.
type spell struct {
	since  time.Duration // of the Limiter's time
	row    atomic.Bool   // the breaker's row of failures is not empty
	slices [countSlices]slice

	mu sync.Mutex // of those who begin a slice
}

// slice is what was counted in a part of countFor.
type slice struct {
	age     atomic.Int64 // which part of the spell
	good    atomic.Uint32
	neither atomic.Uint32
}

// count notes a call that was asked at the time and did not fail.
func (s *spell) count(asked time.Duration, good bool) {
	in := s.slice(s.age(asked))
	switch {
	case in == nil:
	case good:
		in.good.Add(1)
	default:
		in.neither.Add(1)
	}
}

// counts is how many calls were counted that were asked within countFor.
func (s *spell) counts(now time.Duration) (good, neither uint32) {
	oldest := s.age(now) - countSlices + 1
	for i := range s.slices {
		if in := &s.slices[i]; in.age.Load() >= oldest {
			good += in.good.Load()
			neither += in.neither.Load()
		}
	}
	return good, neither
}

func (s *spell) age(at time.Duration) int64 {
	return int64(max(at-s.since, 0) / (countFor / countSlices))
}

// slice returns the one of that age, or nil where it is too long ago.
func (s *spell) slice(age int64) *slice {
	in := &s.slices[age%countSlices]
	if in.age.Load() != age && !s.begin(in, age) {
		return nil
	}
	return in
}

func (s *spell) begin(in *slice, age int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.age.Load() < age {
		in.good.Store(0)
		in.neither.Store(0)
		in.age.Store(age)
	}
	return in.age.Load() == age
}
