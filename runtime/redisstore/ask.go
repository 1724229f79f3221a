package redisstore

import (
	"math"
	"time"
)

// The time between an answer that proves that nothing ran and the next try
// doubles from firstPause to lastPause, as long as that is no more than half of
// the time that is left. A replica is asked less often: it does not become the
// master at once, and the client closes the connection with its answer.
const (
	firstPause   = time.Millisecond
	replicaPause = 8 * time.Millisecond
	lastPause    = 32 * time.Millisecond
)

// wait has c asked again after err, in a while. It reports false if there is no
// time for that.
func (c *call) wait(err error) bool {
	least, remains := firstPause, time.Duration(math.MaxInt64)
	if readOnly(err) {
		least = replicaPause
	}
	if !c.deadline.IsZero() {
		remains = time.Until(c.deadline)
	}
	c.pause = next(c.pause, least, remains)
	if c.pause > 0 {
		c.trouble.Store(&err)
	}
	return c.pause > 0
}

// next is the pause that follows last, or 0 if not so much remains.
func next(last, least, remains time.Duration) time.Duration {
	pause := min(max(2*last, least), lastPause, remains/2)
	if pause < least {
		return 0
	}
	return pause
}
