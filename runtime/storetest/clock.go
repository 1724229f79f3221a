package storetest

import (
	"sync/atomic"
	"time"
)

// Clock is a clock that stands still until it is set. It may be used from
// several goroutines.
type Clock struct{ micros atomic.Int64 }

// NewClock returns a clock that shows micros, microseconds since 1970.
func NewClock(micros int64) *Clock {
	c := new(Clock)
	c.Set(micros)
	return c
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()) }

// Micros returns the time that the clock shows, in microseconds since 1970.
func (c *Clock) Micros() int64 { return c.micros.Load() }

// Set makes the clock show micros, microseconds since 1970.
func (c *Clock) Set(micros int64) { c.micros.Store(micros) }

// Add moves the clock by d, which may be negative.
func (c *Clock) Add(d time.Duration) { c.micros.Add(d.Microseconds()) }
