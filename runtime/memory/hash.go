package memory

import (
	"crypto/sha256"
	"hash/maphash"
	"math/bits"
	"sync/atomic"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// longest is the longest key or tag that is kept as it is.
const longest = 200

// hasher names buckets.
type hasher struct {
	seed  maphash.Seed
	known [64]atomic.Pointer[ruleHash] // of some rules, by what place tells of their names
}

// ruleHash is the hash of a rule's name.
type ruleHash struct {
	rule *ratelimit.Rule
	hash uint64
}

// of returns the hash of the name of r. It remembers that of the first rule that
// comes to a place.
func (h *hasher) of(r *ratelimit.Rule) uint64 {
	at := &h.known[place(r.Name)%uint(len(h.known))]
	known := at.Load()
	if known != nil && known.rule == r {
		return known.hash
	}
	hash := bits.RotateLeft64(maphash.String(h.seed, r.Name), 21)
	if known == nil {
		at.CompareAndSwap(nil, &ruleHash{r, hash})
	}
	return hash
}

// place tells names apart that differ in length or at the end, as most of those of
// a program do.
func place(name string) uint {
	n := uint(len(name))
	if n == 0 {
		return 0
	}
	return n<<2 ^ uint(name[n-1])
}

// id is what a bucket is known by.
type id struct {
	rule     *ratelimit.Rule
	hash     uint64
	key, tag string
	kind     kind
}

// kind tells apart names that have the same texts.
type kind uint8

const (
	broken kind = 1 << iota
	keyDigested
	tagDigested
)

// name makes d the name of the bucket of it.
func (h *hasher) name(d *id, it *ratelimit.Item) {
	d.rule, d.key, d.tag, d.kind = it.Rule, it.Key, it.Tag, 0
	if it.Broken {
		d.kind = broken
	}
	if len(d.key) > longest {
		d.key, d.kind = digest(d.key), d.kind|keyDigested
	}
	if len(d.tag) > longest {
		d.tag, d.kind = digest(d.tag), d.kind|tagDigested
	}
	d.hash = maphash.String(h.seed, d.key) ^ h.of(d.rule) ^ uint64(d.kind)
	if d.tag != "" {
		d.hash ^= bits.RotateLeft64(maphash.String(h.seed, d.tag), 42)
	}
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return string(sum[:])
}

// sameState reports whether rules that go by the names of a and b share their
// buckets.
func sameState(a, b *ratelimit.Rule) bool {
	return a == b || a.Name == b.Name && a.Algorithm == b.Algorithm && a.Window == b.Window &&
		a.Calendar == b.Calendar && zone(a) == zone(b)
}

// zone returns the zone of a rule's calendar, where no zone is UTC.
func zone(r *ratelimit.Rule) string {
	if r.Zone == "" {
		return "UTC"
	}
	return r.Zone
}
