package load

import (
	"math/bits"
	"time"
)

const (
	stepBits = 5 // so that a step is 1/32 of the power of two below it, 3%
	steps    = 1 << stepBits
	most     = 35 // bits of a duration in nanoseconds: half a minute
	places   = (most - stepBits + 1) * steps
)

// Histogram counts durations by their length.
type Histogram struct {
	counts [places]uint32
	total  int64
}

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	h.counts[place(uint64(max(d, 0)))]++
	h.total++
}

// place is d itself where it is below steps, else its power of two and the
// step above that.
func place(d uint64) int {
	d = min(d, 1<<most-1)
	shift := max(bits.Len64(d)-stepBits-1, 0)
	return shift*steps + int(d>>shift)
}

// length is the middle of what a place counts.
func length(place int) time.Duration {
	shift := max(place/steps-1, 0)
	from := uint64(place - shift*steps)
	return time.Duration(from<<shift + 1<<shift>>1)
}

// Merge counts what other has counted.
func (h *Histogram) Merge(other *Histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.total += other.total
}

// Quantile is the duration that a part of all do not exceed, within 3%. It is
// 0 where nothing is counted.
func (h *Histogram) Quantile(part float64) time.Duration {
	rank := int64(part * float64(h.total))
	for i, n := range h.counts {
		if rank -= int64(n); n > 0 && rank <= 0 {
			return length(i)
		}
	}
	return 0
}
