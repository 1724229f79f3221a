package ratelimit

import (
	"errors"
	"fmt"
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
	return "limit of " + e.phrase() + " reached" + e.advice()
}

func (e *LimitError) prefix() string {
	if e.Rule == nil || e.Rule.Name == "" {
		return ""
	}
	return e.Rule.Name + ": "
}

func (e *LimitError) phrase() string {
	spec := e.Rule.spec()
	switch {
	case !spec.Algorithm.Info().Burst:
		return spec.Phrase(e.Decision.Limit)
	case e.Rule.Limit == 0: // the request's is not part of the decision
		return fmt.Sprintf("%d at once", e.Decision.Limit)
	}
	return spec.Phrase(e.Rule.Limit)
}

func (e *LimitError) advice() string {
	if e.Decision.RetryAfter == 0 {
		return ""
	}
	return ", retry after " + roundUp(e.Decision.RetryAfter).String()
}

// roundUp coarsens a time to wait for people to read, never to less.
func roundUp(d time.Duration) time.Duration {
	unit := time.Millisecond
	if d > 10*time.Second {
		unit = time.Second
	}
	return (d + unit - 1) / unit * unit
}
