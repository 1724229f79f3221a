package rules

import (
	"math/bits"
	"time"
)

// Spec is the part of a rule that decides: rules that share a name have equal
// Specs but for a limit that comes with the request.
type Spec struct {
	Algorithm Algorithm
	Limit     int64         // 0: comes with the request
	Window    time.Duration // 0 with a Calendar
	Burst     int64         // 0: the limit; NoQueue
	Calendar  Calendar      // 0: the window has a fixed length
	Zone      string        // the Calendar's; "" is UTC
}

// NoQueue as the burst of a leaky bucket lets nobody wait.
const NoQueue = -1

// Capacity returns the most that one instant can admit under the given limit.
func (s Spec) Capacity(limit int64) int64 { return s.Algorithm.Capacity(s.Burst, limit) }

// MaxCost returns the most that one call can cost under the given limit: above
// it, no call ever passes.
func (s Spec) MaxCost(limit int64) int64 {
	return min(s.Capacity(limit), s.Algorithm.Info().MaxCharge)
}

// drains reports whether a full bucket drains within MaxDrain.
func (s Spec) drains(limit int64) bool {
	hi, lo := bits.Mul64(uint64(s.Capacity(limit)), uint64(s.Window/time.Microsecond))
	mostHi, mostLo := bits.Mul64(uint64(limit), uint64(MaxDrain/time.Microsecond))
	return hi < mostHi || hi == mostHi && lo <= mostLo
}

// Capacity returns the most that one instant can admit under a burst, as a Spec
// has it, and a limit.
func (a Algorithm) Capacity(ofBurst, limit int64) int64 {
	switch a {
	case TokenBucket:
		return burst(ofBurst, limit)
	case LeakyBucket:
		return 1 + burst(ofBurst, limit)
	}
	return limit
}

func burst(ofBurst, limit int64) int64 {
	switch ofBurst {
	case 0:
		return limit
	case NoQueue:
		return 0
	}
	return ofBurst
}
