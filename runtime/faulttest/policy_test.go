package faulttest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// policy is what is to happen to calls.
type policy struct {
	name      string
	rule      ratelimit.Failure // of the rules
	other     ratelimit.Failure // of another rule of each call, if there is one
	escalates ratelimit.Failure // after escalateAfter
}

const (
	localShare    = 0.25
	escalateAfter = 400 * time.Millisecond
)

var policies = []policy{
	{name: "open", rule: ratelimit.FailOpen},
	{name: "closed", rule: ratelimit.FailClosed},
	{name: "local", rule: ratelimit.FailLocal},
	{name: "local beats open", rule: ratelimit.FailLocal, other: ratelimit.FailOpen},
	{name: "closed beats local", rule: ratelimit.FailLocal, other: ratelimit.FailClosed},
	{name: "open, then closed", rule: ratelimit.FailOpen, escalates: ratelimit.FailClosed},
}

func (p policy) options() []ratelimit.Option {
	o := []ratelimit.Option{ratelimit.WithLocalShare(func() float64 { return localShare })}
	if p.escalates != 0 {
		o = append(o, ratelimit.WithEscalation(escalateAfter, p.escalates))
	}
	return o
}

// requests are those of a call for the hot or the wide key.
func (p policy) requests(name string, limit int64) []ratelimit.Request {
	own := &ratelimit.Rule{Name: name, Algorithm: ratelimit.FixedWindow, Limit: limit, Window: time.Hour, Fail: p.rule, Tag: "t"}
	all := []ratelimit.Request{own.For("k")}
	if p.other != 0 {
		also := &ratelimit.Rule{Name: name + ".other", Algorithm: ratelimit.SlidingCounter, Limit: wideLimit, Window: time.Hour, Fail: p.other, Tag: "t"}
		all = append(all, also.For("k"))
	}
	return all
}

// closes reports whether a call must and whether it may be refused, of an outage
// that had lasted so long at its begin at least and at its end at most.
func (p policy) closes(least, most time.Duration) (must, may bool) {
	switch {
	case p.rule == ratelimit.FailClosed || p.other == ratelimit.FailClosed:
		return true, true
	case p.escalates == 0:
		return false, false
	}
	return least > escalateAfter, most > escalateAfter
}

func (p policy) local() bool { return p.rule == ratelimit.FailLocal && p.other != ratelimit.FailClosed }

// fits reports whether a call may end so that the store has not decided.
func (p policy) fits(o outcome, hot bool, least, most time.Duration) bool {
	must, may := p.closes(least, most)
	switch o {
	case unavailable:
		return may
	case passedDegraded:
		return !must
	case refusedDegraded:
		return p.local() && hot
	}
	return false
}
