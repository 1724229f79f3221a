package memory

import (
	"math/bits"
	"sync/atomic"
)

// page is some buckets of a table, in one line of the processor's cache: most
// of those whose hashes belong there. The rest is in the pages that follow.
// Only the last one of them has room, behind its buckets.
//
// It is changed under the lock of the shard, and read without: who looks for a
// bucket while others are moved may miss it, and look again under the lock.
type page struct {
	tags  atomic.Uint64 // of the buckets, a byte each
	slots [pageSlots]atomic.Pointer[bucket]
	next  atomic.Pointer[page]
}

const (
	pageSlots = 6
	// eachByte and eachTop are a 1 and the highest bit in the bytes of all slots.
	eachByte = 0x01010101_0101
	eachTop  = 0x80808080_8080
)

// tagOf returns what tells most hashes of a page apart: bits that don't name the
// page, and the highest one, which says that the slot is taken.
func tagOf(hash uint32) uint64 { return uint64(hash>>25 | 0x80) }

// find returns the bucket of d in p and the pages that follow, or nil.
func (p *page) find(d *id) *bucket {
	tag := tagOf(uint32(d.hash)) * eachByte
	for ; p != nil; p = p.next.Load() {
		for m := matches(p.tags.Load(), tag); m != 0; m &= m - 1 {
			b := p.slots[bits.TrailingZeros64(m)/8].Load()
			if b != nil && b.is(d) {
				return b
			}
		}
	}
	return nil
}

// matches returns the highest bit of each byte of tags that may be as in tag.
// (Mycroft's test for a byte of zeros; it may err above a byte that is one, so
// that the bucket has to be compared in any case.)
func matches(tags, tag uint64) uint64 {
	x := tags ^ tag
	return (x - eachByte) &^ x & eachTop
}

func (p *page) len() int { return bits.Len64(p.tags.Load()) / 8 }

// at returns a bucket of p or of the pages that follow, counted from 0, or nil.
func (p *page) at(i int) *bucket {
	for ; p != nil && i >= pageSlots; i -= pageSlots {
		p = p.next.Load()
	}
	if p == nil {
		return nil
	}
	return p.slots[i].Load()
}

func (p *page) set(i int, b *bucket, tag uint64) {
	p.slots[i].Store(b)
	p.tags.Store(p.tags.Load()&^(0xff<<(8*i)) | tag<<(8*i))
}

// put adds b behind the others.
func (p *page) put(b *bucket) {
	for p.len() == pageSlots {
		if p.next.Load() == nil {
			p.next.Store(new(page))
		}
		p = p.next.Load()
	}
	p.set(p.len(), b, tagOf(b.hash))
}

// drop takes b out, and puts the last bucket in its place.
func (p *page) drop(b *bucket) {
	hole, slot := p.holder(b)
	if last := p.pop(); last != b {
		hole.set(slot, last, tagOf(last.hash))
	}
}

// holder returns where b is, which must be there.
func (p *page) holder(b *bucket) (*page, int) {
	for ; ; p = p.next.Load() {
		for i := range p.slots {
			if p.slots[i].Load() == b {
				return p, i
			}
		}
	}
}

// pop takes the last bucket out, nil if there is none.
func (p *page) pop() *bucket {
	var before *page
	for p.next.Load() != nil {
		before, p = p, p.next.Load()
	}
	i := p.len() - 1
	if i < 0 {
		return nil
	}
	b := p.slots[i].Load()
	p.set(i, nil, 0)
	if i == 0 && before != nil {
		before.next.Store(nil)
	}
	return b
}
