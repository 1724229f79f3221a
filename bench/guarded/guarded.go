// Package guarded is methods that do nothing, behind the wrapper that is
// generated for them: what a limited call costs is what the wrapper costs.
package guarded

import "context"

//go:generate go build -C ../.. -o bench/guarded/generator ./cmd/ratelimitgen
//go:generate ./generator
//go:generate rm generator

// Open is methods whose calls all pass.
type Open struct{}

//ratelimit:key="user:"+user limit=1_000_000_000_000 window=1d fixed
func (*Open) Fixed(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=100_000 window=10ms sliding
func (*Open) Sliding(ctx context.Context, user int64) error { return nil }

// Sparse is Sliding for keys that come now and then, and are kept.
//
//ratelimit:key="user:"+user limit=1000 window=1m sliding
func (*Open) Sparse(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1_000_000_000_000 window=1d counter
func (*Open) Counter(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1_000_000_000_000 window=1d token
func (*Open) Token(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=9_000_000_000_000_000 window=1d leaky wait=1s
func (*Open) Leaky(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1_000_000_000_000 window=1d fixed
//ratelimit:key="team:"+user limit=1_000_000_000_000 window=1d fixed
//ratelimit:key="host:"+user limit=1_000_000_000_000 window=1d fixed
func (*Open) Three(ctx context.Context, user int64) error { return nil }

// Shut is methods of which one call a day passes.
type Shut struct{}

//ratelimit:key="user:"+user limit=1 window=1d fixed
func (*Shut) Fixed(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1 window=1d sliding
func (*Shut) Sliding(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1 window=1d counter
func (*Shut) Counter(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1 window=1d token
func (*Shut) Token(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1 window=1d leaky burst=0
func (*Shut) Leaky(ctx context.Context, user int64) error { return nil }

//ratelimit:key="user:"+user limit=1 window=1d fixed
//ratelimit:key="team:"+user limit=1 window=1d fixed
//ratelimit:key="host:"+user limit=1 window=1d fixed
func (*Shut) Three(ctx context.Context, user int64) error { return nil }
