// Package burst is a gate that far more callers run at than may pass.
package burst

import (
	"context"
	"sync/atomic"
)

//go:generate go tool ratelimitgen

// Gate counts who comes through.
type Gate struct {
	passed atomic.Int64
}

// Fixed lets 1000 of each crowd through.
//
//ratelimit:key=crowd limit=1000 window=60s fixed
func (g *Gate) Fixed(ctx context.Context, crowd string) error { return g.pass() }

// Sliding lets 1000 of each crowd through.
//
//ratelimit:key=crowd limit=1000 window=60s sliding
func (g *Gate) Sliding(ctx context.Context, crowd string) error { return g.pass() }

// Edge lets 100 of each crowd through in any two seconds.
//
//ratelimit:key=crowd limit=100 window=2s sliding
func (g *Gate) Edge(ctx context.Context, crowd string) error { return g.pass() }

func (g *Gate) pass() error {
	g.passed.Add(1)
	return nil
}
