package ratelimit

import (
	"math"
	"time"
)

// conclude makes d speak of the item that the caller has to know of: of those
// in Shadow only where there is no other.
func (b *Batch) conclude(d *Decision) {
	if !b.Allowed {
		b.tell(d, b.slowest())
		return
	}
	b.tell(d, b.tightest())
	d.Allowed = true
	d.Granted = b.Granted
	d.Delay = b.delay()
	d.charge = b.charge()
}

// tell makes d speak of item, as of one that refuses.
func (b *Batch) tell(d *Decision, item *Item) {
	*d = Decision{}
	d.Rule, d.Key = item.Rule, item.Key
	d.Limit, d.Remaining = item.capacity(), item.Remaining
	d.RetryAfter, d.ResetAfter = max(item.RetryAfter, 0), item.ResetAfter
	d.Time = time.UnixMicro(b.Time)
}

func (b *Batch) decision() (d Decision) {
	b.conclude(&d)
	return d
}

func (b *Batch) about(item *Item) (d Decision) {
	b.tell(&d, item)
	return d
}

// tightest returns the item that has the least left.
func (b *Batch) tightest() *Item {
	found := &b.Items[0]
	for i := range b.Items {
		item := &b.Items[i]
		if found.Shadow && !item.Shadow || found.Shadow == item.Shadow && item.Remaining < found.Remaining {
			found = item
		}
	}
	return found
}

// slowest returns the refusing item that has to wait longest.
func (b *Batch) slowest() *Item {
	found := &b.Items[0]
	for i := range b.Items {
		item := &b.Items[i]
		if item.refuses() && (!found.refuses() || item.retryAfter() > found.retryAfter()) {
			found = item
		}
	}
	return found
}

// capacity is the most that one instant can admit.
func (i *Item) capacity() int64 { return i.Rule.Capacity(i.Limit) }

func (i *Item) refuses() bool { return !i.Allowed && !i.Shadow }

func (i *Item) retryAfter() time.Duration {
	if i.RetryAfter == Never {
		return math.MaxInt64
	}
	return i.RetryAfter
}

// delay is the longest that any item has the call wait for its turn.
func (b *Batch) delay() time.Duration {
	var longest time.Duration
	for i := range b.Items {
		if !b.Items[i].Shadow {
			longest = max(longest, b.Items[i].Delay)
		}
	}
	return longest
}
