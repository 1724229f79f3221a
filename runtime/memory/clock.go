package memory

import (
	"sync/atomic"
	"time"
)

// clock tells the time that decides and which buckets are worthless. That is by
// real time, also where the time that decides is another.
type clock struct {
	replaced func() time.Time
	start    time.Time
	base     atomic.Int64 // microseconds since 1970 at start, moved forward by follow
}

const (
	// maxLag is how far the wall clock may be ahead before follow does.
	maxLag = second
	// replacedKeep is how long a bucket is kept under a replaced clock.
	replacedKeep = 3600 * second

	second = int64(time.Second / time.Microsecond)
)

func (c *clock) init(replaced func() time.Time) {
	c.replaced = replaced
	c.start = time.Now()
	c.base.Store(c.start.UnixMicro())
}

func (c *clock) now() int64 {
	if c.replaced != nil {
		return c.replaced().UnixMicro()
	}
	return c.real()
}

// early returns the time before a bucket is locked, so that it is locked for less
// long, and settle the time that decides then: early, but not before what has
// happened to the bucket in the meantime. A clock that is replaced is read while
// the bucket is locked.
func (c *clock) early() int64 {
	if c.replaced != nil {
		return 0
	}
	return c.real()
}

func (c *clock) settle(early int64, b *bucket) int64 {
	if c.replaced != nil {
		return c.under(b)
	}
	return max(early, b.last)
}

// under reads a clock that is replaced, and unlocks b if that panics.
func (c *clock) under(b *bucket) int64 {
	read := false
	defer func() {
		if !read {
			b.mu.Unlock()
		}
	}()
	t := c.now()
	read = true
	return t
}

func (c *clock) real() int64 {
	return c.base.Load() + int64(time.Since(c.start)/time.Microsecond)
}

// mark notes in b, which is being charged, what worthless needs to know.
func (c *clock) mark(b *bucket) {
	if c.replaced != nil {
		b.stamp = c.seconds() + 1
	}
}

func (c *clock) seconds() uint32 { return uint32(c.real() / second) }

// worthless reports whether b may go at a real time.
func (c *clock) worthless(b *bucket, real int64) bool {
	if c.replaced != nil {
		return int64(b.stamp)*second+replacedKeep <= real
	}
	return b.over(b.rule) <= real
}

// follow steps forward to a wall clock that is far ahead.
func (c *clock) follow() {
	if lag := time.Now().UnixMicro() - c.real(); lag > maxLag {
		c.base.Add(lag)
	}
}
