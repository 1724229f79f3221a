package ratelimit

import (
	"hash/maphash"
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// DefaultDenyAge is how long a refusal may be repeated without asking again.
const DefaultDenyAge = time.Second

const (
	denySets = 4096
	denyWays = 4

	// longestDenied is the longest key or tag that is remembered, so that the
	// cache is bounded in bytes as well.
	longestDenied = 256
)

// denyCache remembers refusals: until the time that the store named, a bucket
// that had not enough for a cost has not enough for it again, and not for a
// larger one, under the same limit.
//
// It is a table of sets that a bucket's hash chooses. Reading takes no lock;
// of the places of a set a new denial takes the one that ends first.
type denyCache struct {
	maxAge time.Duration
	seed   maphash.Seed
	epoch  atomic.Int64 // of what was given back or reset
	table  [denySets * denyWays]atomic.Pointer[denial]
}

// denial is a refusal of one bucket.
type denial struct {
	bucket bucket
	cost   int64
	limit  int64
	asked  time.Duration // the Limiter's time before the store decided
	until  time.Duration // the end of its use
	answer Decision
}

// newDenyCache returns a cache for the refusals of store, or nil, which keeps
// none: asking a store in this process costs no more than asking a cache.
func newDenyCache(store Store, maxAge time.Duration) *denyCache {
	if r, ok := store.(Remote); !ok || !r.Remote() || maxAge <= 0 {
		return nil
	}
	return &denyCache{maxAge: maxAge, seed: maphash.MakeSeed()}
}

// deniable reports whether refusals of the item may be remembered.
func (i *Item) deniable() bool {
	return !i.Shadow && i.Rule.Wait == 0 && !i.Broken && len(i.Key) <= longestDenied && len(i.Tag) <= longestDenied
}

// refusal returns the decision on b if one of its buckets is known to refuse,
// of several the one with the longest RetryAfter.
func (c *denyCache) refusal(b *Batch, now time.Duration) (d Decision, found bool) {
	if b.Op != OpAcquire || b.Partial {
		return d, false
	}
	for i := range b.Items {
		item := &b.Items[i]
		if !item.deniable() || item.Cost > item.Rule.MaxCost(item.Limit) { // which no time makes good
			continue
		}
		if denied := c.find(item, now); denied != nil {
			if again := denied.again(item, now); !found || again.RetryAfter > d.RetryAfter {
				d, found = again, true
			}
		}
	}
	return d, found
}

func (c *denyCache) find(item *Item, now time.Duration) *denial {
	at := item.bucket()
	set := c.set(&at)
	for i := range set {
		d := set[i].Load()
		if d != nil && d.limit == item.Limit && d.cost <= item.Cost && now < d.until && d.bucket == at {
			return d
		}
	}
	return nil
}

func (c *denyCache) set(at *bucket) []atomic.Pointer[denial] {
	sum := maphash.String(c.seed, at.key) ^ bits.RotateLeft64(maphash.String(c.seed, at.name), 21)
	if at.tag != "" {
		sum ^= bits.RotateLeft64(maphash.String(c.seed, at.tag), 42)
	}
	first := int(sum%denySets) * denyWays
	return c.table[first : first+denyWays]
}

// again is the refusal as it is now.
func (d *denial) again(item *Item, now time.Duration) Decision {
	since := (now - d.asked).Truncate(time.Microsecond)
	again := d.answer
	again.Rule = item.Rule
	again.RetryAfter -= since
	again.ResetAfter -= since
	again.Time = again.Time.Add(since)
	return again
}

// learn remembers what refused b, which was asked at the time and the epoch.
func (c *denyCache) learn(b *Batch, asked time.Duration, epoch int64) {
	if c == nil || b.Op != OpAcquire || b.Allowed || b.Partial {
		return
	}
	for i := range b.Items {
		item := &b.Items[i]
		if item.refuses() && item.RetryAfter != Never && item.MaxDelay == 0 && item.deniable() && c.epoch.Load() == epoch {
			c.store(&denial{
				bucket: item.bucket(), cost: item.Cost, limit: item.Limit, asked: asked,
				until:  asked + min(item.RetryAfter, c.maxAge),
				answer: b.about(item),
			})
		}
	}
}

func (c *denyCache) store(d *denial) {
	set := c.set(&d.bucket)
	place, ends := 0, time.Duration(math.MaxInt64)
	for i := range set {
		old := set[i].Load()
		if old == nil || old.bucket == d.bucket {
			place = i
			break
		}
		if old.until < ends {
			place, ends = i, old.until
		}
	}
	set[place].Store(d)
}

// forget drops what is known of the items, and what is being asked right now.
func (c *denyCache) forget(items []Item) {
	if c == nil {
		return
	}
	c.epoch.Add(1)
	for i := range items {
		at := items[i].bucket()
		set := c.set(&at)
		for j := range set {
			if d := set[j].Load(); d != nil && d.bucket == at {
				set[j].CompareAndSwap(d, nil)
			}
		}
	}
}

func (c *denyCache) now() int64 {
	if c == nil {
		return 0
	}
	return c.epoch.Load()
}
