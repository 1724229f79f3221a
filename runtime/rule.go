package ratelimit

import (
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Rule is one limit. Declare it once, as a variable, and don't change it after
// its first use: a Limiter checks it then, and refuses with [ErrRule] what is
// out of range or what differs, in a field that decides, from another rule of
// the same name.
type Rule struct {
	// Name is the rule's name in logs and the namespace of its buckets in the
	// store: dotted identifiers, at most 128 bytes. Rules of one name share
	// their buckets and must agree in Algorithm, Limit, Window, Burst,
	// Calendar, Zone and Tag.
	Name string

	Algorithm Algorithm

	// Limit is how many calls pass in a Window: 1 to 2^53, to 100,000 for
	// SlidingWindow. 0 means that each Request brings its own limit.
	Limit int64

	// Window is 1ms to ten years, in whole microseconds; 0 with a Calendar.
	Window time.Duration

	// Burst is what a TokenBucket holds, or how many may wait in a LeakyBucket;
	// there, NoQueue lets nobody wait. 0 means as much as the limit. A full
	// bucket must refill or drain within a hundred years.
	Burst int64

	// Calendar makes the windows of a FixedWindow those of the wall clock in
	// Zone, in place of Window.
	Calendar Calendar

	// Zone is the time zone of a Calendar, a name of the IANA database; it is
	// required for Day, Week and Month, empty means UTC for the others. The
	// database is part of the program.
	Zone string

	// Tag places all buckets of the rule on one node of a Redis Cluster,
	// together with those of other rules that have the same Tag. Rules that
	// are asked together need one.
	Tag string

	// Tagged says that each Request brings its own Tag, by [Request.WithTag]; one
	// that does not is ErrRule, since it would ask for another bucket than is meant.
	// Tag is what an empty one means.
	Tagged bool

	// Fail is what happens when the store cannot answer; the zero value
	// leaves it to the Limiter.
	Fail Failure

	// Message is the text of a refusal's error; empty means a plain English
	// one with the limit and the time to wait.
	Message string

	// Wait is how long Admit may wait for quota. Of several rules that refuse
	// the shortest Wait counts. 0 is not to wait. Of a LeakyBucket it is the
	// longest Delay: a call whose turn is further off is refused; 0 is as long
	// as the queue lasts.
	Wait time.Duration

	// Private says that keys hold personal data: only a digest of them
	// reaches the store, logs and decisions.
	Private bool

	// Shadow rules decide, count and log, but never refuse, and never block
	// or undo other rules.
	Shadow bool

	// Log is the level of the record of a refusal. The zero value is LogWarn.
	Log LogLevel

	// Refund says whether the quota is to be given back after a call that
	// ended with err: [OnError], [OnSuccess] or a function of yours. See
	// [Limiter.Settle]. nil is never.
	Refund func(err error) bool
}

// Failure is what happens to a call when the store cannot answer.
type Failure uint8

const (
	failDefault Failure = iota

	// FailOpen lets the call through.
	FailOpen

	// FailClosed refuses the call.
	FailClosed

	// FailLocal limits the call inside this process, to its share of each
	// limit. It needs [WithLocalShare].
	FailLocal

	failures
)

// String returns "open", "closed" or "local", as a directive has it.
func (f Failure) String() string {
	switch f {
	case failDefault:
		return "default"
	case FailOpen:
		return "open"
	case FailClosed:
		return "closed"
	case FailLocal:
		return "local"
	}
	return "unknown policy"
}

// For is a request for one call from the bucket of key.
func (r *Rule) For(key string) Request { return Request{Rule: r, Key: key} }

// Try is For with a key whose making may have failed: with an error the call
// draws from the bucket that all broken keys of the rule share, or is refused
// with [ErrKey] where the rule fails closed, or where [Request.WithLimit] has
// made the limit 0: a limit that could not be made either is none to pass by.
func (r *Rule) Try(key string, err error) Request {
	return Request{Rule: r, Key: key, Err: err}
}

// Capacity returns the most that one instant can admit under the given limit,
// which is the rule's or a request's.
func (r *Rule) Capacity(limit int64) int64 {
	return rules.Algorithm(r.Algorithm).Capacity(r.Burst, limit)
}

// MaxCost returns the most that one call can cost under the given limit: its
// Capacity, but at most 10,000 for a SlidingWindow. A call that costs more
// never passes.
func (r *Rule) MaxCost(limit int64) int64 { return r.spec().MaxCost(limit) }

func (r *Rule) spec() rules.Spec {
	return rules.Spec{
		Algorithm: rules.Algorithm(r.Algorithm),
		Limit:     r.Limit,
		Window:    r.Window,
		Burst:     r.Burst,
		Calendar:  rules.Calendar(r.Calendar),
		Zone:      r.Zone,
	}
}

func (r *Rule) check() *rules.Fault {
	if f := rules.CheckName(r.Name); f != nil {
		return f
	}
	if f := r.checkPolicy(); f != nil {
		return f
	}
	return r.spec().Check()
}

// checkPolicy checks what rules of one name may have different.
func (r *Rule) checkPolicy() *rules.Fault {
	switch {
	case r.Fail >= failures:
		return &rules.Fault{Item: "fail", Text: "is none of the known policies"}
	case r.Log >= logLevels:
		return &rules.Fault{Item: "log", Text: "is none of the known levels"}
	case r.Wait < 0:
		return &rules.Fault{Item: "wait", Text: "is negative"}
	}
	return nil
}
