package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// bucket is one bucket and its place in a table.
type bucket struct {
	next     *bucket
	hash     uint64
	rule     *ratelimit.Rule
	key, tag string
	expires  int64 // on the idle clock
	kind     kind
	touched  bool // asked for since the search for a bucket that may go was here
	state
}

// table is a hash table that grows and shrinks by one chain at a time, so that
// no call pays for moving all buckets. (Litwin, "Linear hashing: a new tool for
// file and table addressing", 1980.)
type table struct {
	chains []*bucket
	low    int // the highest power of two that is at most len(chains)
	count  int
}

// slot returns the chain of hash: what its last bits say, with one bit more
// where the chain that they say has been split.
func (t *table) slot(hash uint64) int {
	if i := int(hash & uint64(2*t.low-1)); i < len(t.chains) {
		return i
	}
	return int(hash & uint64(t.low-1))
}

func (t *table) find(d *id, r *ratelimit.Rule) *bucket {
	if t.count == 0 {
		return nil
	}
	for b := t.chains[t.slot(d.hash)]; b != nil; b = b.next {
		if b.hash == d.hash && b.is(d, r) {
			return b
		}
	}
	return nil
}

func (b *bucket) is(d *id, r *ratelimit.Rule) bool {
	return b.key == d.key && b.kind == d.kind && b.tag == d.tag && sameState(b.rule, r)
}

// chain returns a chain; numbers beyond the last one start again at the first.
func (t *table) chain(i int) *bucket { return t.chains[i%len(t.chains)] }

func (t *table) add(b *bucket) {
	t.count++
	if t.count > len(t.chains) {
		t.grow()
	}
	t.push(b)
}

func (t *table) push(b *bucket) {
	i := t.slot(b.hash)
	b.next, t.chains[i] = t.chains[i], b
}

func (t *table) remove(b *bucket) {
	at := &t.chains[t.slot(b.hash)]
	for *at != b {
		at = &(*at).next
	}
	*at, b.next = b.next, nil
	t.count--
	for range 2 { // twice as fast as buckets go, so that it keeps up
		if t.count < len(t.chains)/2 {
			t.shrink()
		}
	}
}

// grow splits the chain whose turn it is.
func (t *table) grow() {
	split := len(t.chains) - t.low
	t.chains = append(t.chains, nil)
	if len(t.chains) >= 2*t.low {
		t.low = max(1, 2*t.low)
	}
	if len(t.chains) > 1 {
		t.rehash(split)
	}
}

// shrink gives the last chain back to the one that it was split from.
func (t *table) shrink() {
	last := len(t.chains) - 1
	moved := t.chains[last]
	t.chains[last] = nil
	t.chains = t.chains[:last]
	if last < t.low {
		t.low /= 2
	}
	if cap(t.chains) > 4*last {
		t.chains = append(make([]*bucket, 0, 2*last), t.chains...)
	}
	t.pushAll(moved)
}

func (t *table) rehash(i int) {
	moved := t.chains[i]
	t.chains[i] = nil
	t.pushAll(moved)
}

func (t *table) pushAll(b *bucket) {
	for b != nil {
		next := b.next
		t.push(b)
		b = next
	}
}
