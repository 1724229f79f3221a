package ratelimit

import "time"

// Decision is the answer to the requests of one call. Of several rules it
// speaks of one: of those that refuse the one with the longest RetryAfter,
// else of the one with the least Remaining.
type Decision struct {
	Allowed bool

	// Degraded says that the store did not answer. The call passed because the rules
	// fail open, and Limit is the rule's own, Remaining 0; or it was decided in this
	// process ([FailLocal]), by this process's share of the limit.
	Degraded bool

	// Rule is the rule that this decision speaks of, and Key its bucket. Of a
	// call that was refused for another reason than its quota it is the first
	// rule concerned: the one that fails closed, that has the broken key, that
	// is wrong.
	Rule *Rule
	Key  string

	Limit     int64 // the most that one instant can admit
	Remaining int64 // what a call made now could still take

	// RetryAfter is exactly how long to wait for the same call to pass, if
	// nobody else takes from the bucket. It is 0 for a call that passed, and
	// for one that can never pass: its cost is above the limit, or the limit
	// is 0.
	RetryAfter time.Duration

	// ResetAfter is the time until the bucket is as if it had never been used.
	ResetAfter time.Duration

	// Delay is how long the call has to wait for its turn although it passed;
	// Admit waits by itself.
	Delay time.Duration

	// Time is the clock that decided: the store's.
	Time time.Time

	// Granted is how much [Limiter.AcquireAtMost] took, 0 of other calls.
	Granted int64

	charge *charge
}
