package ratelimittest

import (
	"context"
	"log/slog"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// AllowAll returns a limiter that lets every call pass: each finds its bucket
// unused. What can never pass is refused as ever: a bad rule, a limit of 0, a
// cost above the limit. Unless options say otherwise only errors are logged: such
// rules, and keys that cannot be built.
func AllowAll(options ...ratelimit.Option) *ratelimit.Limiter { return silent(AllowStore(), options) }

// DenyAll returns a limiter that refuses every call: each finds its bucket
// used up, with the rule's whole window to wait, or what is left of one of the
// calendar, and longer than a rule that waits has patience, so that it is refused at
// once. Only rules in shadow refuse nobody, as ever. It logs what [AllowAll] does.
func DenyAll(options ...ratelimit.Option) *ratelimit.Limiter { return silent(DenyStore(), options) }

// AllowStore returns the store of [AllowAll], for limiters with options.
func AllowStore() ratelimit.Store { return always{allow: true} }

// DenyStore returns the store of [DenyAll].
func DenyStore() ratelimit.Store { return always{} }

// silent is a limiter for rules of every policy.
func silent(s ratelimit.Store, options []ratelimit.Option) *ratelimit.Limiter {
	all := []ratelimit.Option{
		ratelimit.WithLogger(slog.New(faults{})),
		ratelimit.WithLocalShare(func() float64 { return 1 }),
	}
	return ratelimit.New(s, append(all, options...)...)
}

// always is a store that gives one answer and remembers nothing.
type always struct{ allow bool }

func (s always) Do(ctx context.Context, b *ratelimit.Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.Time, b.Allowed = time.Now().UnixMicro(), true
	if b.Partial {
		b.Granted = s.grant(b)
	}
	for i := range b.Items {
		item := &b.Items[i]
		item.Result = s.find(b, item)
		b.Allowed = b.Allowed && (item.Allowed || item.Shadow)
	}
	return nil
}

// grant is as much of what b asks for as one call can take.
func (s always) grant(b *ratelimit.Batch) int64 {
	if !s.allow {
		return 0
	}
	granted := b.Items[0].Cost
	for i := range b.Items {
		if item := &b.Items[i]; !item.Shadow {
			granted = min(granted, item.Rule.MaxCost(item.Limit))
		}
	}
	return granted
}

func (s always) find(b *ratelimit.Batch, item *ratelimit.Item) ratelimit.Result {
	cost, most, left := item.Cost, item.Rule.Capacity(item.Limit), rest(item.Rule, b.Time)
	if b.Partial {
		cost = max(1, b.Granted)
	}
	never := cost > item.Rule.MaxCost(item.Limit)
	switch {
	case never && s.allow:
		return ratelimit.Result{Remaining: most, RetryAfter: ratelimit.Never}
	case never:
		return ratelimit.Result{RetryAfter: ratelimit.Never, ResetAfter: left}
	case !s.allow:
		return ratelimit.Result{RetryAfter: max(left, item.Rule.Wait+time.Microsecond), ResetAfter: left}
	}
	return ratelimit.Result{Allowed: true, Remaining: most - cost, ResetAfter: left}
}

// rest is how long it is until the end of a window that begins now, or that is
// the calendar's.
func rest(r *ratelimit.Rule, now int64) time.Duration {
	if r.Calendar == 0 {
		return r.Window
	}
	_, end := r.WindowAt(now)
	return time.Duration(end-now) * time.Microsecond
}

func (always) Ready(context.Context) error { return nil }

func (always) Close() error { return nil }
