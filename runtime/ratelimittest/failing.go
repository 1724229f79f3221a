package ratelimittest

import (
	"context"
	"sync/atomic"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// FailingStore is a store that fails on demand. It works like the one it is
// made of until then.
type FailingStore struct {
	next  ratelimit.Store
	fault atomic.Pointer[func(context.Context, *ratelimit.Batch) error]
	calls atomic.Int64
}

// NewFailingStore returns a FailingStore that works like next.
func NewFailingStore(next ratelimit.Store) *FailingStore { return &FailingStore{next: next} }

// Fail makes every call fail at once with err, or work again with nil.
func (s *FailingStore) Fail(err error) {
	if err == nil {
		s.fault.Store(nil)
		return
	}
	s.set(func(context.Context, *ratelimit.Batch) error { return err })
}

// Hang makes every call last until its deadline or the end of its context.
func (s *FailingStore) Hang() { s.set(hang) }

// HangWhere makes those calls last until their deadline or the end of their
// context that are so. It may be called by many goroutines.
func (s *FailingStore) HangWhere(so func(*ratelimit.Batch) bool) {
	s.set(func(ctx context.Context, b *ratelimit.Batch) error {
		if so(b) {
			return hang(ctx, b)
		}
		return s.next.Do(ctx, b)
	})
}

// Calls returns how many decisions were asked for.
func (s *FailingStore) Calls() int64 { return s.calls.Load() }

// Do implements [ratelimit.Store].
func (s *FailingStore) Do(ctx context.Context, b *ratelimit.Batch) error {
	s.calls.Add(1)
	if fault := s.fault.Load(); fault != nil {
		return (*fault)(ctx, b)
	}
	return s.next.Do(ctx, b)
}

// Ready implements [ratelimit.Store].
func (s *FailingStore) Ready(ctx context.Context) error { return s.next.Ready(ctx) }

// Close implements [ratelimit.Store].
func (s *FailingStore) Close() error { return s.next.Close() }

func (s *FailingStore) set(fault func(context.Context, *ratelimit.Batch) error) {
	s.fault.Store(&fault)
}

func hang(ctx context.Context, b *ratelimit.Batch) error {
	late := time.NewTimer(time.Until(b.Deadline))
	defer late.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return context.DeadlineExceeded
	}
}
