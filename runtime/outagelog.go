package ratelimit

import (
	"context"
	"log/slog"
	"time"
)

// remindEvery is how often the log is told that the store is still down.
const remindEvery = time.Minute

// outageLog is what the log has been told of an outage. Changes of the circuit
// come one at a time.
type outageLog struct {
	opened, closed throttle

	probed bool      // that the circuit was half-open
	last   time.Time // that it is open
}

func (j *journal) circuit(e CircuitEvent) {
	o := &j.outage
	switch {
	case e.To == CircuitClosed:
		j.once(&o.closed, slog.LevelWarn, "rate limit circuit closed, the store answers again", e)
	case e.To == CircuitHalfOpen && !o.probed:
		o.probed = true
		j.tell(slog.LevelInfo, "rate limit circuit half-open, a few calls ask the store", 0, e)
	case e.From == CircuitClosed:
		o.probed, o.last = false, e.Time
		j.once(&o.opened, slog.LevelError, "rate limit circuit open, the store is not asked", e)
	case e.To == CircuitOpen && e.Time.Sub(o.last) >= remindEvery:
		o.last = e.Time
		j.tell(slog.LevelError, "rate limit circuit still open, the store does not answer", 0, e)
	}
}

func (j *journal) once(t *throttle, level slog.Level, text string, e CircuitEvent) {
	if missed, ok := t.pass(time.Since(j.start), 0); ok {
		j.tell(level, text, missed, e)
	}
}

func (j *journal) tell(level slog.Level, text string, missed int64, e CircuitEvent) {
	j.write(context.Background(), level, text, missed,
		slog.Duration("down", e.Down), slog.Int64("passed", e.Passed), slog.Int64("refused", e.Refused),
		slog.Int64("passed_local", e.LocalPassed), slog.Int64("refused_local", e.LocalRefused),
		slog.Any("error", e.Cause))
}

func (j *journal) escalated(ctx context.Context, to Failure, down time.Duration, err error) {
	text := "rate limit store down for too long, all calls are refused"
	if to == FailOpen {
		text = "rate limit store down for too long, all calls pass unlimited"
	}
	j.write(ctx, slog.LevelError, text, 0, slog.Duration("down", down), slog.Any("error", err))
}

// refusing logs that the store wants another password or gives too few rights.
func (j *journal) refusing(ctx context.Context, err error) {
	if missed, ok := j.setup.pass(time.Since(j.start), 0); ok {
		j.write(ctx, slog.LevelError, "rate limit store refuses this program, check its user, password, rights and certificates", missed,
			slog.Any("error", err))
	}
}
