package ratelimit

import (
	"context"
	"log/slog"
)

// journal is the log of a Limiter. Nothing that callers do can flood it.
type journal struct {
	to *slog.Logger

	rule, store throttle
}

func (j *journal) refused(ctx context.Context, k *known, d Decision) {
	if missed, ok := k.refusals.pass(); ok {
		j.write(ctx, slog.LevelWarn, "rate limit reached", missed,
			slog.String("rule", d.Rule.Name), slog.String("key", d.Key),
			slog.Int64("limit", d.Limit), slog.Duration("retry_after", d.RetryAfter))
	}
}

func (j *journal) broken(ctx context.Context, k *known, err error) {
	if missed, ok := k.broken.pass(); ok {
		j.write(ctx, slog.LevelError, "rate limit key broken", missed,
			slog.String("rule", k.rule.Name), slog.Any("error", err))
	}
}

func (j *journal) degraded(ctx context.Context, r *Rule, err error) {
	if missed, ok := j.store.pass(); ok {
		j.write(ctx, slog.LevelError, "rate limit store failed, calls pass unlimited", missed,
			slog.String("rule", r.Name), slog.Any("error", err))
	}
}

// failed logs what the operator has to mend: not a caller that hung up, and
// not a broken key, which is logged where it is found.
func (j *journal) failed(ctx context.Context, err *LimitError) {
	switch err.kind {
	case ErrRule:
		j.fault(ctx, &j.rule, "rate limit rule wrong, calls are refused", err)
	case ErrUnavailable:
		j.fault(ctx, &j.store, "rate limit store failed, calls are refused", err)
	}
}

func (j *journal) fault(ctx context.Context, t *throttle, text string, err *LimitError) {
	if missed, ok := t.pass(); ok {
		j.write(ctx, slog.LevelError, text, missed,
			slog.String("rule", err.Rule.Name), slog.Any("error", err.cause))
	}
}

func (j *journal) write(ctx context.Context, level slog.Level, text string, missed int64, attrs ...slog.Attr) {
	to := j.to
	if to == nil {
		to = slog.Default()
	}
	if missed > 0 {
		attrs = append(attrs, slog.Int64("unlogged", missed))
	}
	to.LogAttrs(context.WithoutCancel(ctx), level, text, attrs...)
}
