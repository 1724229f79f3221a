package ratelimittest

import (
	"context"
	"log/slog"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// AllowAll returns a limiter that lets every call pass: each finds its bucket
// unused. What can never pass is refused as ever: a bad rule, a limit of 0, a
// cost above the limit. It logs nothing unless options say so.
func AllowAll(options ...ratelimit.Option) *ratelimit.Limiter { return silent(AllowStore(), options) }

// DenyAll returns a limiter that refuses every call: each finds its bucket
// used up, with the rule's whole window to wait.
func DenyAll(options ...ratelimit.Option) *ratelimit.Limiter { return silent(DenyStore(), options) }

// AllowStore returns the store of [AllowAll], for limiters with options.
func AllowStore() ratelimit.Store { return always{allow: true} }

// DenyStore returns the store of [DenyAll].
func DenyStore() ratelimit.Store { return always{} }

// silent is a limiter for rules of every policy.
func silent(s ratelimit.Store, options []ratelimit.Option) *ratelimit.Limiter {
	all := []ratelimit.Option{
		ratelimit.WithLogger(slog.New(slog.DiscardHandler)),
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
	b.Time = time.Now().UnixMicro()
	b.Allowed = true
	for i := range b.Items {
		item := &b.Items[i]
		item.Result = s.find(item)
		b.Allowed = b.Allowed && item.Allowed
	}
	return nil
}

func (s always) find(item *ratelimit.Item) ratelimit.Result {
	window := item.Rule.Window // 0 of a calendar window
	switch {
	case item.Cost > item.Limit:
		return ratelimit.Result{RetryAfter: ratelimit.Never}
	case !s.allow:
		return ratelimit.Result{RetryAfter: window, ResetAfter: window}
	}
	return ratelimit.Result{Allowed: true, Remaining: item.Limit - item.Cost, ResetAfter: window}
}

func (always) Ready(context.Context) error { return nil }

func (always) Close() error { return nil }
