package redisstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// flight is the calls of one round trip.
type flight struct {
	calls  []*call
	start  time.Time
	errand *errand
	left   chan struct{} // for an errand, not closed

	bundles []bundle       // of the calls
	latest  map[uint64]int // by the hash of a key, the last bundle that has it
	hashes  []uint64       // of the keys of a call

	pipe redis.Pipeliner
	cmds []redis.Cmder
	sent []*bundle
}

func newFlight() *flight { return &flight{latest: map[uint64]int{}} }

// board adds c, unless its caller has left. From here on the errand is told if
// it does.
func (f *flight) board(c *call) {
	if c.state.Load() == abandoned {
		c.lane.Store(nil)
		c.free()
		return
	}
	if f.errand == nil {
		f.errand = f.newErrand(c.ctx)
	}
	f.errand.calls.Add(1)
	c.errand.Store(f.errand)
	c.lane.Store(nil)
	f.calls = append(f.calls, c)
	f.bundle(c)
}

func (f *flight) newErrand(ctx context.Context) *errand {
	if f.left == nil {
		f.left = make(chan struct{})
	}
	e := &errand{Context: ctx, left: f.left}
	e.calls.Store(1) // it does not end before all are on board
	return e
}

// bundle puts c to the calls that are like it, if none has come in between that has
// a bucket in common with them.
func (f *flight) bundle(c *call) {
	f.hashes = f.hashes[:0]
	for key := range c.order {
		f.hashes = append(f.hashes, c.hash(key))
	}
	if b := f.last(); b != nil && b.takes(c) {
		b.calls = append(b.calls, c)
		return
	}
	for _, hash := range f.hashes {
		f.latest[hash] = len(f.bundles)
	}
	f.bundles = slices.Grow(f.bundles, 1)[:len(f.bundles)+1]
	b := &f.bundles[len(f.bundles)-1]
	b.calls = append(b.calls, c)
}

// last returns the bundle that was the last one to have any of the keys of hashes, if
// it is one and the same for all.
func (f *flight) last() *bundle {
	found := -1
	for n, hash := range f.hashes {
		i, known := f.latest[hash]
		if !known || n > 0 && i != found {
			return nil
		}
		found = i
	}
	if found < 0 {
		return nil
	}
	return &f.bundles[found]
}

// fly sends the calls, and those once more with the script's text whose script
// the server does not know.
func (f *flight) fly(l *lane) {
	if len(f.calls) > 1 {
		f.errand.Context = context.Background()
	}
	f.errand.leave()
	f.trip(l, func(*bundle) bool { return true }, false)
	f.trip(l, func(b *bundle) bool { return unknownScript(b.err) }, true)
}

// trip sends the bundles that are meant together.
func (f *flight) trip(l *lane, meant func(*bundle) bool, text bool) {
	f.sent = f.sent[:0]
	for i := range f.bundles {
		if b := &f.bundles[i]; meant(b) {
			b.command(f.errand, text)
			f.sent = append(f.sent, b)
		}
	}
	switch len(f.sent) {
	case 0:
	case 1:
		f.sent[0].err = l.node.Process(f.errand, f.sent[0].cmd)
	default:
		f.judge(f.pipeline(l))
	}
	clear(f.sent)
}

// pipeline sends the commands of sent.
func (f *flight) pipeline(l *lane) error {
	if f.pipe == nil {
		f.pipe = l.node.Pipeline()
	}
	for _, b := range f.sent {
		f.cmds = append(f.cmds, b.cmd)
	}
	f.pipe.BatchProcess(f.errand, f.cmds...)
	_, err := f.pipe.Exec(f.errand)
	clear(f.cmds)
	f.cmds = f.cmds[:0]
	return err
}

// judge finds what became of each bundle of a pipeline that ended with err. The
// client gives the error that broke the connection even to those whose answer
// had come, and its error before any was sent to none.
func (f *flight) judge(err error) {
	started := false
	for _, b := range f.sent {
		b.err = b.cmd.Err()
		if b.cmd.Val() != "" {
			b.err = nil
		}
		started = started || b.err != nil || b.cmd.Val() != ""
	}
	for _, b := range f.sent {
		if err == nil || b.err != nil || b.cmd.Val() != "" {
			continue
		}
		b.err = err
		if started {
			b.err = errNoAnswer
		}
	}
}

var errNoAnswer = errors.New("redisstore: the client has given no answer")

// calm reports whether all answers are good and came soon.
func (f *flight) calm() bool {
	return time.Since(f.start) < overdue && !slices.ContainsFunc(f.bundles, func(b bundle) bool { return b.err != nil })
}

// land passes the answers on.
func (f *flight) land(l *lane) {
	answered := 0
	for i := range f.bundles {
		b := &f.bundles[i]
		b.cmd.deal(reply(b.cmd.Val()))
		b.end()
		for _, c := range b.calls {
			switch l.land(c, b.err) {
			case isAnswered:
				answered++
			case isEarly:
				l.dispatcher.later(c)
			}
		}
	}
	f.clear(answered == len(f.calls))
}

// landed is what became of a call.
type landed int

const (
	isAnswered landed = iota
	isLeft            // its caller is gone, or it is another lane's
	isEarly           // it is to be asked again after its pause
)

// land passes the answer to c on.
func (l *lane) land(c *call, err error) landed {
	switch {
	case l.redirect(c, err):
	case unrun(err) && c.wait(err):
		return isEarly
	case unrun(err) && !c.deadline.IsZero():
		c.answer(&lateError{err})
	case c.answer(err):
		return isAnswered
	}
	return isLeft
}

// clear makes f ready for the next calls. Those that have no answer may still
// end the errand.
func (f *flight) clear(ended bool) {
	for i := range f.bundles {
		f.bundles[i].clear()
	}
	clear(f.latest)
	clear(f.calls)
	f.calls, f.bundles, f.errand = f.calls[:0], f.bundles[:0], nil
	if !ended {
		f.left = nil
	}
}
