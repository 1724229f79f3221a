package storetest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const (
	callers        = 16
	callsPerCaller = 50
	crowdLimit     = 301
)

// concurrent tests that of many calls at one moment exactly the limit passes.
func (s Suite) concurrent(t *testing.T) {
	for _, a := range s.algorithms() {
		t.Run(a.String(), func(t *testing.T) { s.crowd(t, a) })
	}
}

func (s Suite) crowd(t *testing.T, a ratelimit.Algorithm) {
	b := s.open(t)
	items := []ratelimit.Item{
		tagged(rule("crowd", a, crowdLimit, minute), "hot", 1),
		tagged(rule("crowd.2", a, 2*crowdLimit, minute), "hot", 1),
	}
	var passed atomic.Int64
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() { passed.Add(b.hammer(t, items)) })
	}
	wg.Wait()
	if passed.Load() != crowdLimit {
		t.Errorf("%d of %d calls passed, want %d", passed.Load(), callers*callsPerCaller, crowdLimit)
	}
}

// hammer asks again and again and returns how many calls passed.
func (b *bench) hammer(t *testing.T, items []ratelimit.Item) int64 {
	passed := int64(0)
	for range callsPerCaller {
		batch := newBatch(items)
		if err := b.store.Do(context.Background(), batch); err != nil {
			t.Errorf("Do: %v", err)
		}
		if batch.Allowed {
			passed++
		}
		batch.Release()
	}
	return passed
}
