package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// OnError is a [Rule.Refund] that gives back what a call took that failed, as
// for a message that was never sent.
func OnError(err error) bool { return err != nil }

// OnSuccess is a [Rule.Refund] that gives back what a call took that
// succeeded, as for a login, so that only failed ones count.
func OnSuccess(err error) bool { return err == nil }

var (
	errNoRefund = errors.New("the decision took nothing from a rule that has a Refund")
	errRefunded = errors.New("the decision has been refunded already")
)

// share is what a rule that has a Refund took of an item of a batch.
type share struct {
	item int
	cost int64
	when func(error) bool
}

// charge is what a decision took from rules that have a Refund. It is given
// back once at most.
type charge struct {
	sent   atomic.Bool
	parts  []Item // Cost and Receipt are of what was taken
	shares []share
	local  int64 // the generation of the local store that was charged, or 0
}

// charge returns what an allowed batch took from rules that have a Refund, or
// nil where there are none.
func (b *Batch) charge() *charge {
	if b.Op != OpAcquire || len(b.shares) == 0 {
		return nil
	}
	c := &charge{}
	for _, s := range b.shares {
		part := b.Items[s.item]
		if part.Shadow && !part.Allowed {
			continue
		}
		part.Cost = s.cost
		if b.Partial {
			part.Cost = b.Granted
		}
		c.parts = append(c.parts, part)
		c.shares = append(c.shares, s)
	}
	return c
}

// Refund gives back what the rules that have a Refund took for d, whatever
// these say. It is done at most once, and best effort: it is sent once, with a
// deadline of its own that the end of ctx does not shorten, and an error says
// that it is not known whether it arrived.
//
// What is given back, and to whom, depends on the algorithm: a fixed window
// only takes back what it was charged itself and not what an earlier one was,
// a sliding window loses the very entries of the call.
//
// It is an error to refund a decision twice, or one that took nothing from a
// rule that has a Refund.
func (l *Limiter) Refund(ctx context.Context, d Decision) error {
	return l.refund(ctx, d.charge, func(share) bool { return true })
}

// Settle gives back, after the call that d let pass ended with err, what those
// rules took whose Refund says so of err. Generated code calls it; failures
// are logged.
func (l *Limiter) Settle(ctx context.Context, d Decision, err error) {
	if d.charge == nil {
		return
	}
	if failure := l.refund(ctx, d.charge, func(s share) bool { return s.when(err) }); failure != nil && !errors.Is(failure, errNoRefund) {
		l.log.fault(ctx, &l.log.refund, "rate limit not refunded", d.Rule, failure)
	}
}

func (l *Limiter) refund(ctx context.Context, c *charge, wanted func(share) bool) error {
	var taken []Item
	if c != nil {
		taken = c.pick(wanted)
	}
	switch {
	case len(taken) == 0:
		return errNoRefund
	case c.sent.Swap(true):
		return errRefunded
	}
	return l.giveBack(ctx, taken, c.local)
}

func (c *charge) pick(wanted func(share) bool) []Item {
	var taken []Item
	for i, s := range c.shares {
		if wanted(s) {
			taken = append(taken, c.parts[i])
		}
	}
	return taken
}

// taken returns the items of an allowed batch that were charged.
func (b *Batch) taken() []Item {
	var taken []Item
	for _, item := range b.Items {
		if item.Allowed {
			taken = append(taken, item)
		}
	}
	return taken
}

// giveBack refunds items, whose cost and receipt say what was charged, to the
// store or to a local one.
func (l *Limiter) giveBack(ctx context.Context, taken []Item, local int64) error {
	err := l.returns(context.WithoutCancel(ctx), taken, local)
	l.observeRefund(ctx, taken, err)
	if err != nil {
		return fmt.Errorf("ratelimit: refund: %w", err)
	}
	return nil
}

func (l *Limiter) returns(ctx context.Context, taken []Item, local int64) error {
	if l.closed.Load() {
		return errClosed
	}
	b := NewBatch()
	defer b.Release()
	b.Op = OpRefund
	b.Items = append(b.Items, taken...)
	if local != 0 {
		return l.local.refund(ctx, b, local)
	}
	defer l.deny.forget(taken)
	return l.put(ctx, b, l.now())
}
