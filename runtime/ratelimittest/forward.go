package ratelimittest

import (
	"context"
	"errors"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// Remote implements [ratelimit.Remote] as the store does that s is made of.
func (s *FailingStore) Remote() bool {
	next, ok := s.next.(ratelimit.Remote)
	return ok && next.Remote()
}

// Classify implements [ratelimit.Classifier] as the store does that s is made
// of, or as is done for one that is no Classifier.
func (s *FailingStore) Classify(err error) ratelimit.Fault {
	if next, ok := s.next.(ratelimit.Classifier); ok {
		return next.Classify(err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return ratelimit.LateFault
	}
	return ratelimit.StoreFault
}
