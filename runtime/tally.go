package ratelimit

import "sync/atomic"

// lanes is a power of two.
const lanes = 16

// tally is a number that many goroutines count at a time. Each has a lane, which
// it shares with few or none that run at the same time: a batch has one, and the
// pool hands a processor the batches that it has used before.
type tally struct{ lanes [lanes]lane }

// lane fills a line of the cache, that no processor waits for another's.
type lane struct {
	n atomic.Int64
	_ [56]byte
}

func (t *tally) add(at uint32) { t.lanes[at%lanes].n.Add(1) }

func (t *tally) sum() (n int64) {
	for i := range t.lanes {
		n += t.lanes[i].n.Load()
	}
	return n
}

// take returns the number and begins again at 0.
func (t *tally) take() (n int64) {
	for i := range t.lanes {
		n += t.lanes[i].n.Swap(0)
	}
	return n
}
