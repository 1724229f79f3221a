package memory

import (
	"math/bits"
	"sync/atomic"
)

// table is a hash table of pages that grows and shrinks by one page at a time,
// so that no call pays for moving all buckets. (Litwin, "Linear hashing: a new
// tool for file and table addressing", 1980.) Like a page it is changed under
// the lock of the shard and read without.
type table struct {
	chunks atomic.Pointer[[]*chunk]
	pages  atomic.Uint32
	count  int // of buckets
}

// chunk is pages that are allocated together.
type chunk [chunkPages]page

const (
	chunkPages = 16
	// pageLoad is how many buckets a page has on average.
	pageLoad = 4
)

// home returns the page of hash, nil where there is none: the one that its last
// bits say, with one bit more where the page that they say has been split.
func (t *table) home(hash uint32) *page {
	pages, chunks := t.pages.Load(), t.chunks.Load()
	if pages == 0 || chunks == nil {
		return nil
	}
	low := lowOf(pages)
	i := hash & (2*low - 1)
	if i >= pages {
		i -= low
	}
	if at := int(i / chunkPages); at < len(*chunks) {
		return &(*chunks)[at][i%chunkPages]
	}
	return nil
}

// lowOf returns the highest power of two that is at most pages.
func lowOf(pages uint32) uint32 { return 1 << (bits.Len32(pages) - 1) }

// page returns a page, of which the table must have as many.
func (t *table) page(i uint32) *page {
	return &(*t.chunks.Load())[i/chunkPages][i%chunkPages]
}

func (t *table) find(d *id) *bucket { return t.home(uint32(d.hash)).find(d) }

func (t *table) add(b *bucket) {
	t.count++
	if t.count > pageLoad*int(t.pages.Load()) {
		t.grow()
	}
	t.home(b.hash).put(b)
}

func (t *table) remove(b *bucket) {
	t.home(b.hash).drop(b)
	t.count--
	if 2*t.count < pageLoad*int(t.pages.Load()-1) {
		t.shrink()
	}
}

// grow adds a page, and splits the one whose turn it is.
func (t *table) grow() {
	pages := t.pages.Load()
	if pages == 0 {
		t.extend()
		t.pages.Store(1)
		return
	}
	if pages%chunkPages == 0 {
		t.extend()
	}
	t.pages.Store(pages + 1)
	t.scatter(t.page(pages - lowOf(pages)))
}

func (t *table) extend() {
	var chunks []*chunk
	if p := t.chunks.Load(); p != nil {
		chunks = *p
	}
	chunks = append(chunks, new(chunk))
	t.chunks.Store(&chunks)
}

// shrink gives the last page back to the one that it was split from.
func (t *table) shrink() {
	last := t.pages.Load() - 1
	moved := t.page(last)
	t.pages.Store(last)
	t.scatter(moved)
	if last%chunkPages == 0 {
		chunks := *t.chunks.Load()
		chunks = chunks[: len(chunks)-1 : len(chunks)-1] // who reads keeps what it has
		t.chunks.Store(&chunks)
	}
}

// scatter puts the buckets of a page where they belong now.
func (t *table) scatter(p *page) {
	var few [2 * pageSlots]*bucket
	all := few[:0]
	for b := p.pop(); b != nil; b = p.pop() {
		all = append(all, b)
	}
	for _, b := range all {
		t.home(b.hash).put(b)
	}
}

func (t *table) clear() {
	t.pages.Store(0)
	t.chunks.Store(nil)
	t.count = 0
}
