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
	cmd   *command
	sha   arg
	times arg
	err   error
}

const (
	// mostAlike is how many calls one command is for, of one bucket each: a script that
	// looks at each takes up to 15 microseconds for it.
	mostAlike = 1000

	// keptAlike is how many places for calls a bundle keeps.
	keptAlike = 256
)

// repeat is how a call can be made together with others that are alike.
type repeat struct {
	script *lua.Script // for any number of them, or nil
	at     int         // where the number stands among the arguments
	cost   int64
}

var seed = maphash.MakeSeed()

// hash is that of a key of c.
func (c *call) hash(key int) uint64 { return maphash.Bytes(seed, c.args[keyAt+key].(*arg).text) }

// takes reports whether c is like those in b and there is room for it: what one
// command may charge is bounded.
func (b *bundle) takes(c *call) bool {
	first, n := b.calls[0], len(b.calls)
	return c.repeat.script != nil && c.repeat.script == first.repeat.script && n < mostAlike/len(c.order) && int64(n) < rules.MaxCharge/c.repeat.cost &&
		slices.EqualFunc(c.args[1:], first.args[1:], func(x, y any) bool { return bytes.Equal(x.(*arg).text, y.(*arg).text) })
}

// command makes the command that sends b, by the script's digest or its text.
func (b *bundle) command(ctx context.Context, text bool) {
	b.end()
	c, n := b.calls[0], len(b.calls)
	script, args, times := c.script, c.args, 0
	if n > 1 {
		script, times = c.repeat.script, c.repeat.at
		b.sha.text = append(b.sha.text[:0], script.SHA...)
		b.times.text = strconv.AppendInt(b.times.text[:0], int64(n), 10)
		args = slices.Insert(slices.Clone(args), times, any(&b.times))
		args[1] = &b.sha
	}
	if text {
		args = append([]any{"eval", script.Text}, args[2:]...)
	}
	for _, c := range b.calls {
		c.gone = false
	}
	b.cmd = &command{redis.NewStringCmd(ctx, args...), &party{calls: b.calls, args: args, times: times}}
}

func (b *bundle) end() {
	if b.cmd != nil {
		b.cmd.end()
	}
}

// clear makes b ready for other calls.
func (b *bundle) clear() {
	b.end()
	clear(b.calls)
	b.calls, b.cmd, b.err = b.calls[:0], nil, nil
	if cap(b.calls) > keptAlike {
		b.calls = nil
	}
}
