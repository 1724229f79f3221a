package storetest

import (
	"slices"
	"sync"
	"time"
)

// Admitted collects the calls that a store has let through. It may be used
// from several goroutines.
type Admitted struct {
	mu    sync.Mutex
	times []int64
}

// Add adds a call of the given cost that passed at micros, its Batch.Time.
func (a *Admitted) Add(micros, cost int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for range cost {
		a.times = append(a.times, micros)
	}
}

// Count returns how many calls there are.
func (a *Admitted) Count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.times)
}

// Most returns how many calls the fullest interval of length w holds, which
// holds its beginning and not its end, and when that interval begins.
func (a *Admitted) Most(w time.Duration) (calls int, begin int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	times := slices.Sorted(slices.Values(a.times))
	first := 0
	for i, at := range times {
		for times[first] <= at-w.Microseconds() {
			first++
		}
		if n := i + 1 - first; n > calls {
			calls, begin = n, times[first]
		}
	}
	return calls, begin
}
