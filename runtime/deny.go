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

// denial is a refusal of one bucket. Nobody writes to it any more.
type denial struct {
	sum   uint64 // of the bucket
	of    *known
	limit int64
	cost  int64         // that was refused
	most  int64         // what no time makes good costs more
	asked time.Duration // the Limiter's time before the store decided
	until time.Duration // the end of its use
	time  int64         // the clock that decided
	bucket
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

// deniable reports whether refusals of the rule's bucket may be remembered.
func (r *Rule) deniable(key, tag string) bool {
	return !r.Shadow && r.Wait == 0 && len(key) <= longestDenied && len(tag) <= longestDenied
}

func (i *Item) deniable() bool { return !i.Broken && i.Rule.deniable(i.Key, i.Tag) }

// refuse writes the decision on b to d if one of its buckets is known to refuse,
// of several the one with the longest RetryAfter.
func (c *denyCache) refuse(b *Batch, now time.Duration, d *Decision) bool {
	if b.Op != OpAcquire || b.Partial {
		return false
	}
	var item *Item
	var denied *denial
	for i := range b.Items {
		at := &b.Items[i]
		if at.Broken {
			continue
		}
		found := c.find(at.known, at.Rule, at.Key, at.Tag, at.Cost, at.Limit)
		if found != nil && now < found.until && (denied == nil || found.retryAt() > denied.retryAt()) {
			item, denied = at, found
		}
	}
	if denied == nil {
		return false
	}
	denied.again(d, item.Rule, now)
	return true
}

// find returns a denial of what is asked for, or nil.
func (c *denyCache) find(k *known, r *Rule, key, tag string, cost, limit int64) *denial {
	if !r.deniable(key, tag) {
		return nil
	}
	sum := c.sum(k, key, tag)
	set := c.set(sum)
	for i := range set {
		d := set[i].Load()
		if d != nil && d.sum == sum && d.limit == limit && d.cost <= cost && cost <= d.most &&
			d.of == k && same(d.key, key) && same(d.tag, tag) {
			return d
		}
	}
	return nil
}

// same is a == b, without the call that even empty texts take to compare.
func same(a, b string) bool { return len(a) == len(b) && (a == "" || a == b) }

// sum is a hash of a bucket.
func (c *denyCache) sum(k *known, key, tag string) uint64 {
	sum := maphash.String(c.seed, key) ^ k.sum
	if tag != "" {
		sum ^= bits.RotateLeft64(maphash.String(c.seed, tag), 42)
	}
	return sum
}

func (c *denyCache) set(sum uint64) []atomic.Pointer[denial] {
	first := sum % denySets * denyWays
	return c.table[first : first+denyWays]
}

func (d *denial) retryAt() time.Duration { return d.asked + d.answer.RetryAfter }

// again is the refusal as it is now, of a rule of the same name.
func (d *denial) again(again *Decision, r *Rule, now time.Duration) {
	since := (now - d.asked) / time.Microsecond * time.Microsecond
	*again = d.answer
	again.Rule = r
	again.RetryAfter -= since
	again.ResetAfter -= since
	again.Time = time.UnixMicro(d.time + int64(since/time.Microsecond))
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
				bucket: item.bucket(), of: item.known, sum: c.sum(item.known, item.Key, item.Tag),
				limit: item.Limit, cost: item.Cost, most: item.Rule.MaxCost(item.Limit),
				time: b.Time, asked: asked, until: asked + min(item.RetryAfter, c.maxAge),
				answer: b.about(item),
			})
		}
	}
}

func (c *denyCache) store(d *denial) {
	set := c.set(d.sum)
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
		set := c.set(c.sum(items[i].known, at.key, at.tag))
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
