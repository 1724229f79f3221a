package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// The time between an answer that proves that nothing ran and the next try
// doubles from firstPause to lastPause.
const (
	firstPause = time.Millisecond
	lastPause  = 32 * time.Millisecond
)

// command makes the command that sends c, by the script's digest or its text.
func (c *call) command(e *errand, text bool) {
	args := c.args
	if text {
		args = append([]any{"eval", c.script.Text}, args[2:]...)
	}
	c.cmd = command{redis.NewStringCmd(e, args...), c}
}

// wait has c asked again after err, in a while. It reports false if there is no
// time for that.
func (c *call) wait(err error) bool {
	c.pause = min(max(2*c.pause, firstPause), lastPause)
	if !c.deadline.IsZero() && time.Until(c.deadline) <= c.pause {
		return false
	}
	c.trouble.Store(&err)
	return true
}
