package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// at is an instant store that notes its batches' deadlines.
type at struct {
	*ratelimittest.FailingStore
	deadline time.Time
}

func (at) Instant(ratelimit.Store) bool { return true }

func (s *at) Do(ctx context.Context, b *ratelimit.Batch) error {
	s.deadline = b.Deadline
	return s.FailingStore.Do(ctx, b)
}

// farAt is one that is asked over a network all the same.
type farAt struct{ *at }

func (farAt) Remote() bool { return true }

func TestInstantStores(t *testing.T) {
	t.Parallel()
	if s := memory.New(); !s.Instant(s) {
		t.Error("the memory store is not instant")
	}
	near, far := &at{FailingStore: ratelimittest.NewFailingStore(memory.New())}, &at{FailingStore: ratelimittest.NewFailingStore(memory.New())}
	r := rule("a")
	for store, want := range map[ratelimit.Store]bool{near: false, farAt{far}: true} {
		if _, err := ratelimit.New(store).Acquire(t.Context(), r.For("k")); err != nil {
			t.Error(err)
		}
		if s := map[bool]*at{false: near, true: far}[want]; s.deadline.IsZero() == want {
			t.Errorf("%T has the deadline %v", store, s.deadline)
		}
	}
}

// around is a store that adds to one which it embeds what keeps to the deadline.
type around struct{ *memory.Store }

func (s around) Do(ctx context.Context, b *ratelimit.Batch) error {
	ctx, cancel := context.WithDeadline(ctx, b.Deadline)
	defer cancel()
	return s.Store.Do(ctx, b)
}

func TestStoreAroundAnInstantOne(t *testing.T) {
	t.Parallel()
	r := rule("a")
	if d, err := ratelimit.New(around{memory.New()}, quiet()).Acquire(t.Context(), r.For("k")); err != nil || d.Degraded {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestOutageOfAnInstantStore begins when the store fails, and not when the limiter
// was made.
func TestOutageOfAnInstantStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &at{FailingStore: ratelimittest.NewFailingStore(memory.New())}
		l := ratelimit.New(store, quiet(), ratelimit.WithEscalation(time.Minute, ratelimit.FailClosed))
		defer l.Close()
		time.Sleep(time.Hour)
		store.Fail(errDown)
		r := rule("a")
		if d, err := l.Acquire(t.Context(), r.For("k")); err != nil || !d.Degraded {
			t.Errorf("at first: %+v, %v", d, err)
		}
		time.Sleep(time.Minute)
		if _, err := l.Acquire(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
			t.Errorf("a minute later: %v", err)
		}
	})
}
