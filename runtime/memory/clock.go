package memory

import (
	"sync/atomic"
	"time"
)

// clock tells the time that decides and the time that tells which buckets are
// idle. They are the same unless the first one is replaced.
type clock struct {
	replaced func() time.Time
	start    time.Time
	base     atomic.Int64 // microseconds since 1970 at start, moved forward by follow
}

const (
	// maxLag is how far the wall clock may be ahead before follow does.
	maxLag = int64(time.Second / time.Microsecond)
	// replacedKeep is how long a bucket is kept under a replaced clock.
	replacedKeep = time.Hour
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

func (c *clock) real() int64 {
	return c.base.Load() + int64(time.Since(c.start)/time.Microsecond)
}

// idle returns the time that expiry is measured by, when t decides.
func (c *clock) idle(t int64) int64 {
	if c.replaced != nil {
		return c.real()
	}
	return t
}

// expiry returns when a bucket may go that has been charged at t and is
// worthless after reset.
func (c *clock) expiry(t int64, reset time.Duration) int64 {
	if c.replaced != nil {
		return c.real() + int64(replacedKeep/time.Microsecond)
	}
	return t + int64(reset/time.Microsecond)
}

// follow steps forward to a wall clock that is far ahead.
func (c *clock) follow() {
	if lag := time.Now().UnixMicro() - c.real(); lag > maxLag {
		c.base.Add(lag)
	}
}
