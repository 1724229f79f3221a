package ratelimit

import (
	"math"
	"time"
)

// decision speaks of the item that the caller has to know of.
func (b *Batch) decision() Decision {
	item := b.tightest()
	if !b.Allowed {
		item = b.slowest()
	}
	d := Decision{
		Allowed:    b.Allowed,
		Rule:       item.Rule,
		Key:        item.Key,
		Limit:      item.Limit,
		Remaining:  item.Remaining,
		RetryAfter: max(item.RetryAfter, 0),
		ResetAfter: item.ResetAfter,
		Time:       time.UnixMicro(b.Time),
	}
	if b.Allowed {
		d.Delay = b.delay()
	}
	return d
}

// tightest returns the item that has the least left.
func (b *Batch) tightest() *Item {
	found := &b.Items[0]
	for i := range b.Items {
		if b.Items[i].Remaining < found.Remaining {
			found = &b.Items[i]
		}
	}
	return found
}

// slowest returns the refusing item that has to wait longest.
func (b *Batch) slowest() *Item {
	var found *Item
	for i := range b.Items {
		item := &b.Items[i]
		if !item.Allowed && (found == nil || item.wait() > found.wait()) {
			found = item
		}
	}
	return found
}

func (i *Item) wait() time.Duration {
	if i.RetryAfter == Never {
		return math.MaxInt64
	}
	return i.RetryAfter
}

func (b *Batch) delay() time.Duration {
	var longest time.Duration
	for i := range b.Items {
		longest = max(longest, b.Items[i].Delay)
	}
	return longest
}
