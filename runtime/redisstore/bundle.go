package redisstore

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
	"github.com/redis/go-redis/v9"
)

// bundle is calls of one flight that are alike: one command decides about them,
// in the order in which they came.
type bundle struct {
	calls []*call
	gone  []*call // those whose callers have left before it was sent, in that order

	cmd   command
	args  []any
	sha   arg
	times arg
	err   error
}

// repeat is how a call can be made together with others that are alike.
type repeat struct {
	script *lua.Script // for any number of them, or nil
	at     int         // where the number stands among the arguments
	cost   int64
}

var seed = maphash.MakeSeed()

// hash is that of the key of a call that has one.
func (c *call) hash() uint64 { return maphash.Bytes(seed, c.args[keyAt].(*arg).text) }

// takes reports whether c is like those in b and there is room for it: what one
// command may charge is bounded.
func (b *bundle) takes(c *call) bool {
	first := b.calls[0]
	return c.repeat.script == first.repeat.script && int64(len(b.calls)) < rules.MaxCharge/c.repeat.cost &&
		slices.EqualFunc(c.args[1:], first.args[1:], func(x, y any) bool { return bytes.Equal(x.(*arg).text, y.(*arg).text) })
}

// command makes the command that sends b, by the script's digest or its text.
func (b *bundle) command(ctx context.Context, text bool) {
	c := b.calls[0]
	script, args := c.script, c.args
	if len(b.calls) > 1 {
		script = c.repeat.script
		b.sha.text = append(b.sha.text[:0], script.SHA...)
		b.args = append(b.args[:0], args[0], &b.sha)
		b.args = append(b.args, args[2:c.repeat.at]...)
		b.args = append(append(b.args, &b.times), args[c.repeat.at:]...)
		args = b.args
	}
	if text {
		args = append([]any{"eval", script.Text}, args[2:]...)
	}
	b.cmd = command{redis.NewStringCmd(ctx, args...), b}
}

// present counts the calls whose callers have not left.
func (b *bundle) present() int {
	for _, c := range b.calls {
		if c.state.Load() == abandoned && !slices.Contains(b.gone, c) {
			b.gone = append(b.gone, c)
		}
	}
	n := len(b.calls) - len(b.gone)
	b.times.text = strconv.AppendInt(b.times.text[:0], int64(n), 10)
	return n
}

// deal gives the calls their parts of the answer. It says how many calls were
// asked for, and so which ones, since those that leave do not come back.
func (b *bundle) deal() {
	r := reply(b.cmd.Val())
	if len(b.calls) == 1 {
		b.calls[0].reply, b.calls[0].turn = r, alone
		return
	}
	left := b.gone[:min(max(0, len(b.calls)-r.times()), len(b.gone))]
	turn := 0
	for _, c := range b.calls {
		if slices.Contains(left, c) {
			continue
		}
		c.reply, c.turn = r, turn
		turn++
	}
}

// clear makes b ready for other calls.
func (b *bundle) clear() {
	clear(b.calls)
	clear(b.gone)
	clear(b.args)
	b.calls, b.gone, b.args = b.calls[:0], b.gone[:0], b.args[:0]
	b.cmd, b.err = command{}, nil
}
