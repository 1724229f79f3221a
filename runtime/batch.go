package ratelimit

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var batches = sync.Pool{New: newBatch}

// made is how many batches there have been.
var made atomic.Uint32

// newBatch spreads what is counted over lanes, and when it gives way over time: the
// pool lets go of batches at any moment.
func newBatch() any {
	n := made.Add(1)
	return &Batch{lane: n % lanes, again: n}
}

// NewBatch returns an empty batch that its caller holds until Release. Tests
// of stores need it, and nobody else.
func NewBatch() *Batch {
	b := batches.Get().(*Batch)
	b.refs = 1
	return b
}

// Retain lets the caller hold b beyond the call of Do that it came with.
func (b *Batch) Retain() { atomic.AddInt32(&b.refs, 1) }

// Release gives b up. The last one to do so hands it to the next call. Who is
// the only one to hold b finds so without a write: nobody else can Retain it.
func (b *Batch) Release() {
	if atomic.LoadInt32(&b.refs) == 1 || atomic.AddInt32(&b.refs, -1) == 0 {
		tired := b.tired
		b.reset()
		batches.Put(b)
		if tired {
			runtime.Gosched()
		}
	}
}

func (b *Batch) reset() {
	if len(b.Items) > 0 {
		b.forget()
	}
	b.Op, b.Partial, b.Allowed = OpAcquire, false, false
	b.Time, b.Granted = 0, 0
	b.decider, b.asked, b.waited, b.recalled, b.tired = ByNobody, 0, 0, false, false
}

// refusalsInRow is how many refusals are repeated before others get the processor.
const refusalsInRow = 64

// giveWay lets others run after a number of refusals, once b is released. A flood
// of callers that are refused at once never waits, and would leave those who wait
// for the store no processor for so long that its answers are late.
func (b *Batch) giveWay() {
	b.again++
	b.tired = b.again%refusalsInRow == 0
}

// forget lets go of all that a call pointed to.
func (b *Batch) forget() {
	clear(b.Items)
	clear(b.shares)
	b.Items, b.shares = b.Items[:0], b.shares[:0]
	b.Deadline = time.Time{}
}

// extend returns one item more, which is empty: so are all that b has had
// before, see forget.
func (b *Batch) extend() *Item {
	n := len(b.Items)
	if n == cap(b.Items) {
		b.Items = append(b.Items, Item{})
	}
	b.Items = b.Items[:n+1]
	return &b.Items[n]
}

// drop takes back what extend has added.
func (b *Batch) drop() {
	last := len(b.Items) - 1
	b.Items[last] = Item{}
	b.Items = b.Items[:last]
}

// takeAtMost asks every bucket for as much as it has, up to n.
func (b *Batch) takeAtMost(n int64) {
	for i := range b.Items {
		b.Items[i].Cost = min(n, MaxCost)
	}
}
