package ratelimit

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// What a [*LimitError] is, under [errors.Is].
var (
	// ErrLimited: the quota does not suffice, or the call's context ended
	// before it was decided (then the error is the context's as well).
	ErrLimited = errors.New("rate limited")

	// ErrUnavailable: the store did not answer and a rule fails closed, or
	// the Limiter is closed.
	ErrUnavailable = errors.New("rate limit store unavailable")

	// ErrKey: the key could not be built and the rule fails closed.
	ErrKey = errors.New("broken rate limit key")

	// ErrRule: a rule is wrong. No call that asks for it passes until the
	// program is mended.
	ErrRule = errors.New("bad rate limit rule")
)

var (
	errNegativeCost = errors.New("negative cost")
	errClosed       = errors.New("limiter is closed")
	errNoLimit      = errors.New("limit: the rule has none and the request brings none")
	errNoTag        = errors.New("tag: the rule's is computed for each call and the request brings none, see WithTag")
	errNoStore      = errors.New("the limiter has no store")
)

// LimitError says why a call was refused. Every error of [Limiter.Admit] and
// [Limiter.Acquire] is one.
type LimitError struct {
	Rule     *Rule
	Key      string // never part of the text: it may be personal
	Decision Decision
	Message  string // the rule's, of a call that found no quota

	why *reason // nil where there was no quota, as mostly
}

type reason struct{ kind, cause error }

// because returns what e is and what went wrong beneath.
func (e *LimitError) because() (kind, cause error) {
	if e.why == nil {
		return ErrLimited, nil
	}
	return e.why.kind, e.why.cause
}

// Error returns Message, or else says what happened in English: never the key.
func (e *LimitError) Error() string {
	if e.Message != "" {
		return e.Message
	}
	return e.prefix() + e.text()
}

// Is reports whether e is of the kind target: [ErrLimited], [ErrUnavailable],
// [ErrKey] or [ErrRule].
func (e *LimitError) Is(target error) bool {
	kind, _ := e.because()
	return target == kind
}

// Unwrap returns what went wrong beneath: the store's error, the key's, the
// context's, or nil.
func (e *LimitError) Unwrap() error {
	_, cause := e.because()
	return cause
}

// newLimitError leaves the text to those who read it: most errors are only
// looked at.
func newLimitError(kind, cause error, d *Decision) *LimitError {
	e := &LimitError{Rule: d.Rule, Key: d.Key, Decision: *d}
	switch {
	case kind != ErrLimited || cause != nil:
		e.why = &reason{kind, cause}
	case e.Rule != nil:
		e.Message = e.Rule.Message
	}
	return e
}

func (e *LimitError) text() string {
	kind, cause := e.because()
	switch {
	case errors.Is(cause, ErrRule):
		return cause.Error()
	case kind == ErrRule:
		return "bad rate limit rule: " + cause.Error()
	case kind == ErrKey:
		return "the rate limit's key cannot be built: " + cause.Error()
	case kind == ErrUnavailable:
		return "the rate limit's store cannot answer: " + cause.Error()
	case cause != nil:
		return "the call ended before its rate limit was decided: " + cause.Error()
	case e.Rule == nil:
		return ErrLimited.Error()
	}
	return e.Rule.refusal(&e.Decision)
}

func (e *LimitError) prefix() string {
	if e.Rule == nil || e.Rule.Name == "" {
		return ""
	}
	return e.Rule.Name + ": "
}

// refusal says in English why there was no quota.
func (r *Rule) refusal(d *Decision) string {
	switch {
	case d.RetryAfter > 0:
		return "limit of " + r.phrase(d.Limit) + " reached, retry after " + roundUp(d.RetryAfter).String()
	case d.Limit == 0:
		return "no call can pass a limit of 0"
	case d.Degraded:
		return fmt.Sprintf("a call that costs more than %d cannot pass in this process while the store does not answer", r.mostCost(d.Limit))
	}
	return fmt.Sprintf("a call that costs more than %d can never pass its limit of %s", r.mostCost(d.Limit), r.phrase(d.Limit))
}

// mostCost is the most that a call can cost under the Limit of a decision.
func (r *Rule) mostCost(limit int64) int64 { return min(limit, r.MaxCost(limit)) }

// phrase says what the Limit of a decision is, which is the most that one instant
// can admit: with a Burst it does not tell the limit.
func (r *Rule) phrase(limit int64) string {
	switch {
	case r.Burst == 0:
		return r.spec().Phrase(limit - r.Capacity(0))
	case r.Limit == 0:
		return fmt.Sprintf("%d at once", limit)
	}
	return r.spec().Phrase(r.Limit)
}

// roundUp coarsens a time to wait for people to read, never to less.
func roundUp(d time.Duration) time.Duration {
	unit := time.Millisecond
	if d > 10*time.Second {
		unit = time.Second
	}
	up := d.Truncate(unit)
	if up < d && up <= math.MaxInt64-unit {
		up += unit
	}
	return up
}
