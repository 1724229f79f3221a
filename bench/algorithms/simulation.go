package main

import (
	"context"
	"log/slog"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// epoch is when simulations begin: a Monday, at midnight in UTC.
var epoch = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// simulation is a Limiter whose time goes as one says.
type simulation struct {
	*storetest.Clock
	limiter *ratelimit.Limiter
}

// newSimulation starts at a time after the epoch.
func newSimulation(at time.Duration) *simulation {
	clock := storetest.NewClock(epoch.Add(at).UnixMicro())
	store := memory.New(memory.WithClock(clock.Now))
	return &simulation{clock, ratelimit.New(store, ratelimit.WithLogger(slog.New(slog.DiscardHandler)))}
}

// call asks r for one call. It panics where no decision can be made, which no
// input of this program brings about.
func (s *simulation) call(r *ratelimit.Rule) ratelimit.Decision {
	d, err := s.limiter.Acquire(context.Background(), r.For("k"))
	if err != nil {
		panic(err)
	}
	return d
}

func (s *simulation) close() { s.limiter.Close() }
