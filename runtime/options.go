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
func WithDenyCache(maxAge time.Duration) Option {
	return func(l *Limiter) { l.denyAge = maxAge }
}

// WithConfig sets where [Limiter.Config], config("name", n) in a directive,
// finds its numbers. The function is called at each use and from many
// goroutines; false means that it has no such number.
func WithConfig(number func(name string) (int64, bool)) Option {
	return func(l *Limiter) { l.config = number }
}
