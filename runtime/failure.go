package ratelimit

import (
	"context"
	"errors"
	"time"
)

// policy returns what holds for r when the store cannot answer.
func (l *Limiter) policy(r *Rule) Failure {
	if r.Fail == failDefault {
		return l.failure
	}
	return r.Fail
}

// unanswered is the decision on a batch of which the store made none. It
// reads of b what was asked and nothing else: the store may still write.
func (l *Limiter) unanswered(ctx context.Context, b *Batch, err error) (Decision, *LimitError) {
	first := b.Items[0].unasked()
	switch {
	case ctx.Err() != nil:
		return ended(ctx, first)
	case errors.Is(err, ErrRule):
		return failed(ErrRule, err, first)
	case l.closed.Load():
		return failed(ErrUnavailable, errClosed, first)
	case b.Op != OpAcquire && b.Op != OpPeek:
		return failed(ErrUnavailable, err, first)
	}
	for i := range b.Items {
		item := &b.Items[i]
		switch {
		case item.Shadow:
		case item.Cost > item.Rule.MaxCost(item.Limit) && !b.Partial:
			return item.unasked(), nil
		case l.policy(item.Rule) != FailOpen:
			return failed(ErrUnavailable, err, item.unasked())
		}
	}
	l.log.degraded(ctx, l.rules.get(first.Rule.Name), err)
	return degraded(b, first), nil
}

func degraded(b *Batch, d Decision) Decision {
	d.Allowed, d.Degraded = true, true
	if b.Partial {
		d.Granted = b.Items[0].Cost
	}
	return d
}

func (i *Item) unasked() Decision {
	return Decision{Rule: i.Rule, Key: i.Key, Limit: i.capacity(), Time: time.Now()}
}
