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

// escalation is the policy of all rules for a store that stays down.
type escalation struct {
	after time.Duration
	to    Failure // failDefault: there is none
}

// stricter reports whether of several rules f decides against g.
func (f Failure) stricter(g Failure) bool { return f.rank() > g.rank() }

func (f Failure) rank() int {
	switch f {
	case FailOpen:
		return 1
	case FailLocal:
		return 2
	}
	return 3
}

// fail notes that a call has failed that was asked at the time.
func (l *Limiter) fail(asked time.Duration) {
	l.outage.begin(asked, func() { l.local.fresh(asked) })
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
	return l.standIn(ctx, b, err)
}

// standIn decides by the policies of the rules.
func (l *Limiter) standIn(ctx context.Context, b *Batch, err error) (Decision, *LimitError) {
	policy, by := FailOpen, &b.Items[0]
	escalated := l.escalated(ctx, err)
	for i := range b.Items {
		item := &b.Items[i]
		if item.Shadow {
			continue
		}
		if item.Cost > item.Rule.MaxCost(item.Limit) && !b.Partial {
			b.decider = ByPolicy
			return item.unasked(), nil
		}
		if p := l.policy(item.Rule); p.stricter(policy) {
			policy, by = p, item
		}
	}
	if escalated != failDefault {
		policy = escalated
	}
	switch policy {
	case FailOpen:
		return l.passOpen(ctx, b, err)
	case FailLocal:
		return l.decideLocal(ctx, b, err)
	}
	b.decider = ByPolicy
	l.count(b, refusedClosed)
	return failed(ErrUnavailable, err, by.unasked())
}

func (l *Limiter) passOpen(ctx context.Context, b *Batch, err error) (Decision, *LimitError) {
	d := b.Items[0].unasked()
	d.Allowed, d.Degraded = true, true
	if b.Partial {
		d.Granted = b.Items[0].Cost
	}
	b.decider = ByPolicy
	l.count(b, passedOpen)
	l.degraded(ctx, b.Items[0].known, "rate limit store failed, calls pass unlimited", err)
	return d, nil
}

func (l *Limiter) count(b *Batch, w way) {
	if b.Op == OpAcquire {
		l.outage.ways[w].add(b.lane)
	}
}

// escalated is the policy that has taken the place of the rules' own.
func (l *Limiter) escalated(ctx context.Context, err error) Failure {
	if l.escalation.to == failDefault {
		return failDefault
	}
	down, ok := l.outage.lasts(l.now())
	if !ok || down < l.escalation.after {
		return failDefault
	}
	if !l.outage.escalated.Load() && !l.outage.escalated.Swap(true) {
		l.log.escalated(ctx, l.escalation.to, down, err)
	}
	return l.escalation.to
}

func (i *Item) unasked() Decision {
	return Decision{Rule: i.Rule, Key: i.Key, Limit: i.capacity(), Time: time.Now()}
}
