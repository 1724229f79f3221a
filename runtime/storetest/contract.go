package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// contract tests what Store promises beside its decisions.
func (s Suite) contract(t *testing.T) {
	t.Run("ready", s.ready)
	t.Run("ended context", s.endedContext)
	t.Run("expired context", s.expiredContext)
	t.Run("closed", s.closed)
	t.Run("reused batch", s.reusedBatch)
}

func (s Suite) ready(t *testing.T) {
	b := s.open(t)
	if err := b.store.Ready(t.Context()); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

func (s Suite) endedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.refusesContext(t, ctx, context.Canceled)
}

func (s Suite) expiredContext(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	s.refusesContext(t, ctx, context.DeadlineExceeded)
}

func (s Suite) refusesContext(t *testing.T, ctx context.Context, want error) {
	b := s.open(t)
	items := []ratelimit.Item{item(rule("ended", ratelimit.FixedWindow, 1, time.Minute), "k")}
	batch := newBatch(items)
	defer batch.Release()
	if err := b.store.Do(ctx, batch); !errors.Is(err, want) {
		t.Errorf("Do with an ended context: %v, want %v", err, want)
	}
	if !b.ask(t, items).Allowed {
		t.Error("a call whose context had ended was charged")
	}
}

func (s Suite) closed(t *testing.T) {
	b := s.open(t)
	items := []ratelimit.Item{item(rule("closed", ratelimit.FixedWindow, 1, time.Minute), "k")}
	b.ask(t, items)
	if err := b.store.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	batch := newBatch(items)
	defer batch.Release()
	if err := b.store.Do(t.Context(), batch); err == nil {
		t.Error("Do of a closed store returned no error")
	}
}

// reusedBatch asks with a batch whose items still hold another answer.
func (s Suite) reusedBatch(t *testing.T) {
	b := s.open(t)
	it := item(rule("reused", ratelimit.FixedWindow, 1, time.Minute), "k")
	it.Result = ratelimit.Result{Allowed: true, Remaining: 7, RetryAfter: 7, ResetAfter: 7, Delay: 7}
	pass := Answer{Allowed: true, Time: epoch, Results: []ratelimit.Result{{Allowed: true, ResetAfter: time.Minute}}}
	if got := b.ask(t, []ratelimit.Item{it}); !got.equal(pass) {
		t.Errorf("got %v, want %v", got, pass)
	}
	refuse := Answer{Time: epoch, Results: []ratelimit.Result{{RetryAfter: time.Minute, ResetAfter: time.Minute}}}
	if got := b.ask(t, []ratelimit.Item{it}); !got.equal(refuse) {
		t.Errorf("got %v, want %v", got, refuse)
	}
}
