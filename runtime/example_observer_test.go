package ratelimit_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

// counter counts what became of calls, by rule: that is a metric's label.
type counter struct {
	ratelimit.NoObserver
	mu    sync.Mutex
	count map[string]int
}

func (c *counter) ObserveDecision(_ context.Context, e ratelimit.DecisionEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Decider != ratelimit.ByStore { // remembered, or decided without the store
		c.count[e.Decision.Rule.Name+" by "+e.Decider.String()]++
		return
	}
	for _, item := range e.Items {
		switch {
		case !item.Allowed && item.Shadow:
			c.count[item.Rule.Name+" would have refused"]++
		case !item.Allowed:
			c.count[item.Rule.Name+" refused"]++
		case e.Decision.Allowed:
			c.count[item.Rule.Name+" passed"]++
		}
	}
}

func ExampleWithObserver() {
	seen := &counter{count: map[string]int{}}
	limiter := ratelimit.New(memory.New(), ratelimit.WithObserver(seen))
	defer limiter.Close()
	logins := ratelimit.Rule{
		Name: "logins", Algorithm: ratelimit.SlidingWindow, Limit: 3, Window: time.Minute, Log: ratelimit.LogOff,
	}
	stricter := logins
	stricter.Name, stricter.Limit, stricter.Shadow = "stricter", 2, true
	for range 5 {
		limiter.Admit(context.Background(), logins.For("ann"), stricter.For("ann"))
	}
	for _, what := range slices.Sorted(maps.Keys(seen.count)) {
		fmt.Println(what, seen.count[what])
	}
	// Output:
	// logins passed 3
	// logins refused 2
	// stricter passed 2
	// stricter would have refused 3
}
