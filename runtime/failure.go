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
	}
	for i := range b.Items {
		item := &b.Items[i]
		if item.Cost > item.Limit {
			return item.unasked(), nil
		}
		if l.policy(item.Rule) != FailOpen {
			return failed(ErrUnavailable, err, item.unasked())
		}
	}
	l.log.degraded(ctx, first.Rule, err)
	first.Allowed, first.Degraded = true, true
	return first, nil
}

func (i *Item) unasked() Decision {
	return Decision{Rule: i.Rule, Key: i.Key, Limit: i.Limit, Time: time.Now()}
}
