package ratelimit

import (
	"log/slog"
	"time"
)

// DefaultTimeout is how long a store may take to answer.
const DefaultTimeout = 50 * time.Millisecond

// Option is an option of [New].
type Option func(*Limiter)

// WithTimeout sets how long the store may take for one decision, its retries
// included. The default is [DefaultTimeout], also for a d of 0 or less.
func WithTimeout(d time.Duration) Option {
	return func(l *Limiter) {
		if d > 0 {
			l.timeout = d
		}
	}
}

// WithFailure sets what happens to calls when the store cannot answer, where
// their rules don't say. The default is [FailOpen].
func WithFailure(f Failure) Option {
	return func(l *Limiter) { l.failure = f }
}

// WithLocalShare sets which part of each limit this process may use by itself
// while the store cannot answer, for rules that [FailLocal]: above 0 and at most
// 1, as in 1 divided by the number of processes. Limits and bursts are multiplied
// by it and rounded up; what can be had at once is so 1 at least. Any other number
// refuses those calls with [ErrUnavailable].
//
// The function is called for each such call, from many goroutines.
//
// An outage begins with full buckets, unless those of the one before were used
// within a minute. There are 131,072 buckets at most. Calls don't wait for quota
// then, but do for their turn in a LeakyBucket.
func WithLocalShare(share func() float64) Option {
	return func(l *Limiter) { l.local.share = share }
}

// WithEscalation sets what happens to calls once the store has answered none for
// as long as after: FailOpen or FailClosed, for all rules, whatever they say. Any
// other policy is taken for FailClosed.
func WithEscalation(after time.Duration, to Failure) Option {
	if to != FailOpen {
		to = FailClosed
	}
	return func(l *Limiter) { l.escalation = escalation{after, to} }
}

// WithObserver has o told what the Limiter does. Given several times, all of
// them are.
func WithObserver(o Observer) Option {
	return func(l *Limiter) {
		if o != nil {
			l.observers = append(l.observers, o)
		}
	}
}

// WithLogger sets where refusals, broken keys and failures of the store are
// logged. The default, also for nil, is what [slog.Default] returns at the
// time of the record.
func WithLogger(log *slog.Logger) Option {
	return func(l *Limiter) { l.log.to = log }
}

// WithDenyCache sets for how long a refusal may be repeated without asking the
// store again: until the time that the store has named, but at most for maxAge.
// A bucket that another process resets or refunds, or whose server is gone, is
// so noticed at most maxAge late. The default is [DefaultDenyAge]; 0 or less
// turns the cache off.
//
// Only refusals are remembered, and never of rules that wait or are in shadow,
// nor of broken keys. Stores in memory, and those whose clock is replaced, are
// always asked. The cache takes a few megabytes at most.
//
// A refusal from the cache is right, but it speaks of what is remembered: of
// several rules that refuse, of one that has refused before, and for a cost
// that is higher than the one refused before, RetryAfter is when that one would
// pass.
func WithDenyCache(maxAge time.Duration) Option {
	return func(l *Limiter) { l.denyAge = maxAge }
}

// WithConfig sets where [Limiter.Config], config("name", n) in a directive,
// finds its numbers. The function is called at each use and from many
// goroutines; false means that it has no such number.
func WithConfig(number func(name string) (int64, bool)) Option {
	return func(l *Limiter) { l.config = number }
}
