package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// bucket is a bucket of a table. What changes with each call is in its first 32
// bytes and so, at this size, in one line of the processor's cache; what it is
// known by is in the next one, a name of usual length included.
type bucket struct {
	mu lock // for state, stamp, touched and gone
	state

	rule           *ratelimit.Rule
	hash           uint32
	stamp          uint32 // under a replaced clock: real seconds at the last charge
	touched        bool   // asked for since the search for a bucket that may go was here
	gone           bool   // from its table
	held           bool   // locked by who has locked the shard, which is for this field
	kind           kind
	keyLen, tagLen uint8
	name           [shortName]byte // key and tag, if they fit
}

const shortName = 26

// more is what only some buckets have. It is there from the beginning.
type more struct {
	name  string   // key and tag, if they are long
	times *[]int64 // of a sliding window, a ring
}

func newBucket(d *id) *bucket {
	b := bare(d.rule.Algorithm)
	b.rule, b.hash, b.kind = d.rule, uint32(d.hash), d.kind
	b.keyLen, b.tagLen = uint8(len(d.key)), uint8(len(d.tag))
	if b.short() {
		copy(b.name[copy(b.name[:], d.key):], d.tag)
		return b
	}
	if b.more == nil {
		b.more = new(more)
	}
	b.more.name = d.key + d.tag
	return b
}

// bare returns a bucket with the state that an algorithm begins with.
func bare(a ratelimit.Algorithm) *bucket {
	if a != ratelimit.SlidingWindow {
		return new(bucket)
	}
	var all struct { // side by side, in memory that is fetched together
		bucket
		more
		times []int64
	}
	all.bucket.more, all.more.times = &all.more, &all.times
	return &all.bucket
}

func (b *bucket) short() bool { return int(b.keyLen)+int(b.tagLen) <= shortName }

// is reports whether b is the bucket of d. It needs no lock.
func (b *bucket) is(d *id) bool {
	return len(d.key) == int(b.keyLen) && len(d.tag) == int(b.tagLen) && b.kind == d.kind &&
		b.named(d.key, d.tag) && sameState(b.rule, d.rule)
}

// named reports whether b has a name of two parts that have the right lengths.
func (b *bucket) named(key, tag string) bool {
	if b.short() {
		name := b.name[:len(key)+len(tag)]
		return string(name[:len(key)]) == key && (tag == "" || string(name[len(key):]) == tag)
	}
	return b.more.name[:len(key)] == key && b.more.name[len(key):] == tag
}

// touch notes that b was asked for. It writes only where that is news: a write
// takes the line from other processors.
func (b *bucket) touch() {
	if !b.touched {
		b.touched = true
	}
}

// hold locks b, if that has not been done, for who has locked its shard.
func (b *bucket) hold() {
	if !b.held {
		b.mu.Lock()
		b.held = true
	}
}

func (b *bucket) release() {
	if b.held {
		b.held = false
		b.mu.Unlock()
	}
}
