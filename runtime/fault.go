package ratelimit

import (
	"context"
	"errors"
)

// Fault is what an error of a [Store] says about it.
type Fault uint8

const (
	// StoreFault: it is not there, or cannot do what it is asked by anyone.
	StoreFault Fault = iota

	// LateFault: all that is known is that its answer did not come in time. It
	// may be down, or slow, or the program has had no time to run.
	LateFault

	// SetupFault: it refuses this program, as for a wrong password or missing
	// rights. It counts as a StoreFault and is logged at once.
	SetupFault

	// BucketFault: it answers, but cannot use one of the buckets, as where
	// somebody else has written to the key. It says nothing about other calls.
	BucketFault
)

// String returns "store", "late", "setup" or "bucket".
func (f Fault) String() string {
	switch f {
	case StoreFault:
		return "store"
	case LateFault:
		return "late"
	case SetupFault:
		return "setup"
	case BucketFault:
		return "bucket"
	}
	return "unknown fault"
}

// Classifier is what a [Store] is as well that tells its errors apart. It is
// asked about errors of Do that are neither [ErrRule] nor the context's. Those of
// a Store that is none are a LateFault where they are
// [context.DeadlineExceeded], else a StoreFault.
type Classifier interface {
	Classify(err error) Fault
}

// verdict is what an answer of a store says about it.
type verdict uint8

const (
	noVerdict verdict = iota // the caller hung up, or asked for nonsense
	answered
	failing
)

func (l *Limiter) judge(ctx context.Context, err error) verdict {
	switch {
	case err == nil:
		return answered
	case ctx.Err() != nil, errors.Is(err, ErrRule), l.closed.Load():
		return noVerdict
	case l.fault(err) == BucketFault:
		return answered
	}
	return failing
}

func (l *Limiter) fault(err error) Fault {
	if c, ok := l.store.(Classifier); ok {
		return c.Classify(err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return LateFault
	}
	return StoreFault
}

func remote(s Store) bool {
	r, ok := s.(Remote)
	return ok && r.Remote()
}

func instant(s Store) bool {
	i, ok := s.(Instant)
	return ok && i.Instant(s) && !remote(s)
}
