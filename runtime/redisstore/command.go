package redisstore

import (
	"strconv"
	"sync"

	"github.com/redis/go-redis/v9"
)

// command is a script's call. The client must not repeat it by itself: it may
// have run although its answer was lost.
type command struct {
	*redis.StringCmd
	*party
}

// party is who waits for a command. Hooks may ask for its arguments at any time
// and from anywhere.
type party struct {
	mu    sync.Mutex
	calls []*call // none once it is over
	gone  []*call // those of them that have left before it was sent, in that order
	args  []any
	times int  // where in args the number of calls stands, 0 if there is but one
	loose bool // its one caller sends it itself
}

// NoRetry keeps the client from sending the command again.
func (*command) NoRetry() bool { return true }

// Clone keeps copies of the command from being sent again, too.
func (c *command) Clone() redis.Cmder {
	return &command{c.StringCmd.Clone().(*redis.StringCmd), c.party}
}

// Args are what the client writes. It asks when it has a connection: who has left
// by then is not charged. Where that is everybody, there is something in the
// command's place that charges nothing.
func (c *command) Args() []any { return c.party.ask() }

var nothing = []any{"ping"}

// ask returns the arguments for the calls that have not left.
func (p *party) ask() []any {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.gone)
	for _, c := range p.calls {
		if !c.gone && p.left(c) {
			c.gone, p.gone = true, append(p.gone, c)
		}
	}
	n := len(p.calls) - len(p.gone)
	switch {
	case n == 0:
		return nothing
	case p.times > 0 && len(p.gone) > before:
		p.args = append([]any(nil), p.args...) // who has asked before keeps what it got
		p.args[p.times] = &arg{strconv.AppendInt(nil, int64(n), 10)}
	}
	return p.args
}

// left reports whether the caller of c has left. One that sends its call itself
// does not say so.
func (p *party) left(c *call) bool {
	return c.state.Load() == abandoned || p.loose && c.ctx.Err() != nil
}

// deal gives the calls their parts of the reply. It says how many calls were asked
// for, and so which ones, since those that leave do not come back.
func (p *party) deal(r reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times == 0 {
		p.calls[0].reply, p.calls[0].turn = r, alone
		return
	}
	for i, c := range p.gone {
		c.gone = i < len(p.calls)-r.times()
	}
	turn := 0
	for _, c := range p.calls {
		if !c.gone {
			c.reply, c.turn = r, turn
			turn++
		}
	}
}

// end keeps whoever still has the command from those calls and arguments, which
// are others' from now on.
func (p *party) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls, p.gone, p.args = nil, nil, nil
}

// arg is an argument in a buffer that is used again. The client takes it for
// a [encoding.BinaryMarshaler], traces take it for a [fmt.Stringer].
type arg struct{ text []byte }

func (a *arg) MarshalBinary() ([]byte, error) { return a.text, nil }

func (a *arg) String() string { return string(a.text) }
