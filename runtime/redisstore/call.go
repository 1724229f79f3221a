package redisstore

import (
	"context"
	"encoding/binary"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
)

// call is one command, from its making to its answer. It holds copies of all
// it needs, so that the batch it came with is free when the caller leaves.
type call struct {
	script *lua.Script
	args   []any // of EVALSHA
	spare  []*arg
	used   int
	order  []int // of the batch's items
	repeat repeat

	ctx      context.Context // of the caller
	deadline time.Time

	pause  time.Duration // before it was last asked again
	astray bool          // its node does not have the key

	before, after *call
	lane          atomic.Pointer[lane]   // in whose queue it is
	errand        atomic.Pointer[errand] // of its last flight

	reply reply
	turn  int  // in a reply to several
	gone  bool // not asked for, see party
	err   error

	state    atomic.Int32
	answered chan struct{} // receives once when the state is answered
	trouble  atomic.Pointer[error]
	timer    *time.Timer
}

const (
	pending = iota
	answered
	abandoned
)

var calls = sync.Pool{New: func() any {
	c := &call{answered: make(chan struct{}, 1), timer: time.NewTimer(0)}
	c.timer.Stop()
	return c
}}

func newCall() *call { return calls.Get().(*call) }

// use makes c a call of s. It comes before all arguments.
func (c *call) use(s *lua.Script) {
	c.script = s
	c.args = append(c.args[:0], "evalsha")
	a := c.next()
	a.text = append(a.text, s.SHA...)
}

// free gives c up, which nobody else holds.
func (c *call) free() {
	c.used, c.order, c.reply, c.err = 0, c.order[:0], "", nil
	c.ctx, c.repeat, c.pause, c.astray, c.gone = nil, repeat{}, 0, false, false
	c.errand.Store(nil)
	c.trouble.Store(nil)
	c.state.Store(pending)
	calls.Put(c)
}

// next returns an empty argument, which is already the last one of c.
func (c *call) next() *arg {
	if c.used == len(c.spare) {
		c.spare = append(c.spare, new(arg))
	}
	a := c.spare[c.used]
	c.used++
	a.text = a.text[:0]
	c.args = append(c.args, a)
	return a
}

func (c *call) addInt(n int64) {
	a := c.next()
	a.text = strconv.AppendInt(a.text, n, 10)
}

// addDoubles adds numbers as the doubles of struct.unpack, which are exact for
// those that a script can count with.
func (c *call) addDoubles(numbers ...int64) {
	a := c.next()
	for _, n := range numbers {
		a.text = binary.LittleEndian.AppendUint64(a.text, math.Float64bits(float64(n)))
	}
}

func (c *call) addByte(b byte) {
	a := c.next()
	a.text = append(a.text, b)
}

// arm has the caller of c stop to wait at the deadline, which there must be.
func (c *call) arm() { c.timer.Reset(time.Until(c.deadline)) }

// answer is the sender's end of c, whose reply is there if err is nil. It reports
// false if the caller has left.
func (c *call) answer(err error) bool {
	c.err = err
	if c.state.CompareAndSwap(pending, answered) {
		c.answered <- struct{}{}
		return true
	}
	c.free()
	return false
}

// abandon is the caller's end of a c that has no answer yet. It reports false if
// the answer has come first.
func (c *call) abandon() bool {
	if l := c.lane.Load(); l != nil && l.drop(c) {
		c.free()
		return true
	}
	// Whoever finds the state changed frees c at once.
	e := c.errand.Load()
	if !c.state.CompareAndSwap(pending, abandoned) {
		<-c.answered
		return false
	}
	if e != nil {
		e.leave()
	}
	return true
}

// keyAt is where the first key stands: behind EVALSHA, the digest and the number of
// keys.
const keyAt = 3

// key is what decides about the node.
func (c *call) key() string {
	if len(c.args) <= keyAt {
		return ""
	}
	return c.args[keyAt].(*arg).String()
}
