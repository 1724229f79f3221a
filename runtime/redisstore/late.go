package redisstore

import "context"

// lateError says that the deadline came before an answer, and why, if that is
// known. It is [context.DeadlineExceeded].
type lateError struct{ cause error }

func (e *lateError) Error() string {
	if e.cause == nil {
		return "redis did not answer in time"
	}
	return "redis did not answer in time: " + e.cause.Error()
}

func (e *lateError) Is(target error) bool { return target == context.DeadlineExceeded }

func (e *lateError) Unwrap() error { return e.cause }

// late is the error for a caller whose time is up.
func (c *call) late() error {
	if trouble := c.trouble.Load(); trouble != nil {
		return &lateError{*trouble}
	}
	if c.lane.Load() != nil {
		return &lateError{errBusy}
	}
	return &lateError{}
}
