package ratelimittest_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/ratelimittest"
)

// faults writes down what the store says of its errors.
type faults struct {
	ratelimit.NoObserver
	of []ratelimit.Fault
}

func (f *faults) ObserveStore(_ context.Context, e ratelimit.StoreEvent) {
	if e.Err != nil {
		f.of = append(f.of, e.Fault)
	}
}

func TestFaultsOnDemand(t *testing.T) {
	seen := &faults{}
	store := ratelimittest.NewFailingStore(memory.New())
	l := ratelimit.New(store, ratelimit.WithLogger(slog.New(slog.DiscardHandler)), ratelimit.WithObserver(seen), ratelimit.WithTimeout(time.Millisecond), ratelimit.WithFailure(ratelimit.FailClosed))
	defer l.Close()
	r := ratelimit.Rule{Name: "calls", Algorithm: ratelimit.FixedWindow, Limit: 1, Window: time.Hour}
	refused := func(how string) {
		t.Helper()
		if _, err := l.Admit(t.Context(), r.For("k")); !errors.Is(err, ratelimit.ErrUnavailable) {
			t.Errorf("a store that %s: %v", how, err)
		}
	}
	store.Fail(errors.New("down"))
	refused("fails")
	store.Hang()
	refused("hangs")
	store.Fail(nil)
	if _, err := l.Admit(t.Context(), r.For("k")); err != nil {
		t.Errorf("a store that works again: %v", err)
	}
	if len(seen.of) != 2 || seen.of[0] != ratelimit.StoreFault || seen.of[1] != ratelimit.LateFault {
		t.Errorf("the observer is told of %v, want [store late]", seen.of)
	}
}
