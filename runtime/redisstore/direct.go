package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// direct is how a caller that is alone sends its command itself: to hand it to
// a sender, and the answer back, takes a quarter as long as the round trip. The
// client has to keep its deadline then, see [redis.Options.ContextTimeoutEnabled].
//
// Such a caller stays until the answer or the deadline, whatever becomes of its
// context, and a server that falls silent costs its connection. So it is one at
// a time, has some time but not much, and none is after anything but a quick
// answer.
type direct struct {
	busy     bool
	calm     bool      // the last answers were quick
	deadline time.Time // of the last such caller

	left  chan struct{} // ends the wait for a connection
	alarm *time.Timer   // closes left, if there is still somebody at the deadline
	rings time.Time     // when it does; zero if it does not run
}

// The time that a caller must have left.
const (
	shortest = 20 * time.Millisecond
	longest  = 200 * time.Millisecond
)

// solo is the context of a command that its caller sends.
type solo struct {
	errand
	deadline time.Time
	one      [1]*call
	party    party
	cmd      command
}

func (s *solo) Deadline() (time.Time, bool) { return s.deadline, true }

// alone has c answered by the caller's own doing, if that can be now. It reports
// false if c is to be queued. After an error c is no longer the caller's.
func (l *lane) alone(c *call, now time.Time) (done bool, err error) {
	left := l.begin(c.deadline, now)
	if left == nil {
		return false, nil
	}
	defer l.dispatcher.workers.Done()
	err = l.travel(c, now, left)
	ended := c.ctx.Err()
	switch {
	case err == nil && ended == nil:
		return true, nil
	case ended != nil:
	case unknownScript(err):
		return false, nil
	case time.Until(c.deadline) > 0:
		c.arm()
		if l.land(c, err) == isEarly {
			l.dispatcher.later(c)
		}
		return true, await(c.ctx, c)
	default:
		ended = c.late()
	}
	c.free()
	return true, ended
}

// begin returns what is closed at the deadline of a caller that may send its
// command itself, or nil if it may not.
func (l *lane) begin(deadline, now time.Time) (left chan struct{}) {
	if remains := deadline.Sub(now); !l.prompt || remains < shortest || remains > longest {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d := &l.direct
	if !d.calm || d.busy || l.closed || l.queue.len > 0 || l.idle < l.senders {
		return nil
	}
	d.busy, d.deadline = true, deadline
	if d.left == nil {
		d.left = make(chan struct{})
	}
	if d.rings.IsZero() || deadline.Before(d.rings) {
		l.setAlarm(deadline.Sub(now))
	}
	l.dispatcher.workers.Add(1)
	return d.left
}

// setAlarm does so for the deadline. A timer that every caller sets and stops would
// cost it more than the rest of the way to the client.
func (l *lane) setAlarm(remains time.Duration) {
	d := &l.direct
	d.rings = d.deadline
	if d.alarm == nil {
		d.alarm = time.AfterFunc(remains, l.ring)
	} else {
		d.alarm.Reset(remains)
	}
}

// ring ends the wait of a caller whose deadline has come.
func (l *lane) ring() {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := &l.direct
	d.rings = time.Time{}
	switch remains := time.Until(d.deadline); {
	case !d.busy, d.left == nil:
	case remains > 0:
		l.setAlarm(remains)
	default:
		close(d.left)
		d.left = nil
	}
}

// travel sends c, at now, and waits for the answer.
func (l *lane) travel(c *call, now time.Time, left chan struct{}) (err error) {
	calm := false
	defer func() { l.end(calm) }() // also if a hook of the client panics
	s := &solo{errand: errand{Context: c.ctx, left: left}, deadline: c.deadline, one: [1]*call{c}}
	s.party = party{calls: s.one[:], args: c.args, loose: true}
	s.cmd = command{redis.NewStringCmd(s, c.args...), &s.party}
	defer s.party.end()
	err = l.node.Process(s, &s.cmd)
	s.party.deal(reply(s.cmd.Val()))
	calm = err == nil && time.Since(now) < overdue
	return err
}

// end makes way for others.
func (l *lane) end(calm bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.direct.busy, l.direct.calm = false, calm
	if l.queue.len > 0 {
		l.call()
	}
}

// prompt reports whether the node's client keeps the deadline of a context.
func prompt(n node) bool {
	client, ok := n.(*redis.Client)
	return ok && client.Options().ContextTimeoutEnabled
}
