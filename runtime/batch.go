package ratelimit

import (
	"sync"
	"sync/atomic"
)

var batches = sync.Pool{New: func() any { return new(Batch) }}

// NewBatch returns an empty batch that its caller holds until Release. Tests
// of stores need it, and nobody else.
func NewBatch() *Batch {
	b := batches.Get().(*Batch)
	b.refs = 1
	return b
}

// Retain lets the caller hold b beyond the call of Do that it came with.
func (b *Batch) Retain() { atomic.AddInt32(&b.refs, 1) }

// Release gives b up. The last one to do so hands it to the next call.
func (b *Batch) Release() {
	if atomic.AddInt32(&b.refs, -1) == 0 {
		b.reset()
		batches.Put(b)
	}
}

func (b *Batch) reset() {
	clear(b.Items)
	clear(b.shares)
	*b = Batch{Items: b.Items[:0], shares: b.shares[:0]}
}

// takeAtMost asks every bucket for as much as it has, up to n.
func (b *Batch) takeAtMost(n int64) {
	b.Partial = true
	for i := range b.Items {
		b.Items[i].Cost = min(n, MaxCost)
	}
}
