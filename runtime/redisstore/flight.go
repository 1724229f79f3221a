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
	errs   []error // of the calls
	start  time.Time
	errand *errand
	left   chan struct{} // for an errand, not closed

	pipe redis.Pipeliner
	cmds []redis.Cmder
	sent []int // indexes of calls
}

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
}

func (f *flight) newErrand(ctx context.Context) *errand {
	if f.left == nil {
		f.left = make(chan struct{})
	}
	e := &errand{Context: ctx, left: f.left}
	e.calls.Store(1) // it does not end before all are on board
	return e
}

// fly sends the calls, and those once more with the script's text whose script
// the server does not know.
func (f *flight) fly(l *lane) {
	if len(f.calls) > 1 {
		f.errand.Context = context.Background()
	}
	f.errand.leave()
	f.errs = append(f.errs[:0], make([]error, len(f.calls))...)
	f.trip(l, func(int) bool { return true }, false)
	f.trip(l, func(i int) bool { return unknownScript(f.errs[i]) }, true)
}

// trip sends the calls that are meant together.
func (f *flight) trip(l *lane, meant func(i int) bool, text bool) {
	f.sent = f.sent[:0]
	for i, c := range f.calls {
		if meant(i) {
			c.command(f.errand, text)
			f.sent = append(f.sent, i)
		}
	}
	switch len(f.sent) {
	case 0:
	case 1:
		i := f.sent[0]
		f.errs[i] = l.node.Process(f.errand, &f.calls[i].cmd)
	default:
		f.judge(f.pipeline(l))
	}
}

// pipeline sends the commands of sent.
func (f *flight) pipeline(l *lane) error {
	if f.pipe == nil {
		f.pipe = l.node.Pipeline()
	}
	for _, i := range f.sent {
		f.cmds = append(f.cmds, &f.calls[i].cmd)
	}
	f.pipe.BatchProcess(f.errand, f.cmds...)
	_, err := f.pipe.Exec(f.errand)
	clear(f.cmds)
	f.cmds = f.cmds[:0]
	return err
}

// judge finds what became of each call of a pipeline that ended with err. The
// client gives the error that broke the connection even to those whose answer
// had come, and its error before any was sent to none.
func (f *flight) judge(err error) {
	started := false
	for _, i := range f.sent {
		cmd := &f.calls[i].cmd
		f.errs[i] = cmd.Err()
		if cmd.Val() != "" {
			f.errs[i] = nil
		}
		started = started || f.errs[i] != nil || cmd.Val() != ""
	}
	for _, i := range f.sent {
		if err == nil || f.errs[i] != nil || f.calls[i].cmd.Val() != "" {
			continue
		}
		f.errs[i] = err
		if started {
			f.errs[i] = errNoAnswer
		}
	}
}

var errNoAnswer = errors.New("redisstore: the client has given no answer")

// calm reports whether all answers are good and came soon.
func (f *flight) calm() bool {
	return time.Since(f.start) < overdue && !slices.ContainsFunc(f.errs, func(err error) bool { return err != nil })
}

// land passes the answers on.
func (f *flight) land(l *lane) {
	var again []*call
	var pause time.Duration
	answered := 0
	for i, c := range f.calls {
		switch l.land(c, f.errs[i]) {
		case isAnswered:
			answered++
		case isEarly:
			again, pause = append(again, c), max(pause, c.pause)
		}
	}
	if again != nil {
		l.dispatcher.later(pause, again)
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
		c.answer("", &lateError{err})
	case c.answer(reply(c.cmd.Val()), err):
		return isAnswered
	}
	return isLeft
}

// clear makes f ready for the next calls. Those that have no answer may still
// end the errand.
func (f *flight) clear(ended bool) {
	clear(f.calls)
	clear(f.errs)
	f.calls, f.errand = f.calls[:0], nil
	if !ended {
		f.left = nil
	}
}
