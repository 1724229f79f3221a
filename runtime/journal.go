package ratelimit

import (
	"context"
	"log/slog"
	"time"
)

// journal is the log of a Limiter. Nothing that callers do can flood it.
type journal struct {
	to    *slog.Logger
	start time.Time

	rule, refund, setup throttle

	outage outageLog
}

// report logs what became of a call that did not pass.
func (l *Limiter) report(ctx context.Context, b *Batch, d *Decision, err *LimitError) {
	switch {
	case err != nil:
		l.reportFailure(ctx, err)
	case !d.Allowed:
		l.log.refused(ctx, l.when(b), b.lane, &l.known(b, d.Rule).refusals, "rate limit reached", d)
	}
}

func (l *Limiter) reportFailure(ctx context.Context, err *LimitError) {
	switch kind, cause := err.because(); {
	case kind == ErrRule:
		l.log.fault(ctx, &l.log.rule, "rate limit rule wrong, calls are refused", err.Rule, cause)
	case kind == ErrUnavailable && !l.counted(cause):
		l.log.fault(ctx, &l.rules.get(err.Rule.Name).store, "rate limit store failed, calls are refused", err.Rule, cause)
	}
}

// reportShadows logs the shadow rules that would have refused.
func (l *Limiter) reportShadows(ctx context.Context, b *Batch) {
	for i := range b.Items {
		if item := &b.Items[i]; item.Shadow && !item.Allowed {
			d := b.about(item)
			l.log.refused(ctx, l.when(b), b.lane, &item.known.shadowed, "shadow rate limit reached", &d)
		}
	}
}

// known is what is known of a rule that a call had.
func (l *Limiter) known(b *Batch, r *Rule) *known {
	if k := b.recent.find(l.rules, r.Name); k != nil {
		return k
	}
	return l.rules.get(r.Name)
}

// when is the Limiter's time at which b was asked, or now: to ask the clock
// costs as much as to look up a refusal.
func (l *Limiter) when(b *Batch) time.Duration {
	if b.asked > 0 {
		return b.asked
	}
	return l.now()
}

func (j *journal) refused(ctx context.Context, now time.Duration, lane uint32, t *throttle, text string, d *Decision) {
	if d.Rule.Log == LogOff {
		return
	}
	if missed, ok := t.pass(now, lane); ok {
		last := slog.Duration("retry_after", d.RetryAfter)
		if d.RetryAfter == 0 {
			last = slog.String("reason", d.Rule.refusal(d))
		}
		j.write(ctx, d.Rule.Log.slog(), text, missed,
			slog.String("rule", d.Rule.Name), slog.String("key", d.Key), slog.Int64("limit", d.Limit), last)
	}
}

func (j *journal) broken(ctx context.Context, k *known, err error) {
	j.fault(ctx, &k.broken, "rate limit key broken", &k.rule, err)
}

// degraded logs a call that was decided without the store.
func (l *Limiter) degraded(ctx context.Context, k *known, text string, err error) {
	if !l.counted(err) {
		l.log.fault(ctx, &k.store, text, &k.rule, err)
	}
}

// counted reports whether a call that ended with err is counted and not logged: with
// a circuit that is not closed only the circuit is logged, also by the few calls that
// find out whether the store answers again.
func (l *Limiter) counted(err error) bool {
	return unasked(err) || l.circuit != nil && CircuitState(l.circuit.state.Load()) != CircuitClosed
}

func (j *journal) fault(ctx context.Context, t *throttle, text string, r *Rule, cause error) {
	if missed, ok := t.pass(time.Since(j.start), 0); ok {
		j.write(ctx, slog.LevelError, text, missed, slog.String("rule", r.Name), slog.Any("error", cause))
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
