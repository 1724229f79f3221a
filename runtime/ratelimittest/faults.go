package ratelimittest

import (
	"context"
	"log/slog"
)

// faults is the log of a limiter whose refusals are what the test wants. What is
// wrong with the program itself, a rule that two packages have or a key that cannot
// be built, would otherwise go to a fallback and nobody would know why.
type faults struct{}

func (faults) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && slog.Default().Enabled(ctx, level)
}

func (faults) Handle(ctx context.Context, r slog.Record) error {
	return slog.Default().Handler().Handle(ctx, r)
}

func (f faults) WithAttrs([]slog.Attr) slog.Handler { return f }

func (f faults) WithGroup(string) slog.Handler { return f }
