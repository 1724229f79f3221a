package ratelimit

import (
	"math"
	"time"
)

// decision speaks of the item that the caller has to know of: of those in
// Shadow only where there is no other.
func (b *Batch) decision() Decision {
	item := b.tightest()
	if !b.Allowed {
		item = b.slowest()
	}
	d := b.about(item)
	d.Allowed = b.Allowed
	if b.Allowed {
		d.Granted = b.Granted
		d.Delay = b.delay()
		d.charge = b.charge()
	}
	return d
}

func (b *Batch) about(item *Item) Decision {
	return Decision{
		Rule:       item.Rule,
		Key:        item.Key,
		Limit:      item.capacity(),
		Remaining:  item.Remaining,
		RetryAfter: max(item.RetryAfter, 0),
		ResetAfter: item.ResetAfter,
		Time:       time.UnixMicro(b.Time),
	}
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
