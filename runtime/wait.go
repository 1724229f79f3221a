package ratelimit

import (
	"context"
	"time"
)

// admit decides like Acquire, but waits where the rules say so.
func (l *Limiter) admit(ctx context.Context, b *Batch, requests []Request, d *Decision) (err *LimitError) {
	if l.recall(ctx, b, requests, d) {
		l.report(ctx, b, d, nil)
		return nil
	}
	var s subject
	ready, err := l.begin(ctx, b, requests, &s)
	b.hurry(ctx)
	switch {
	case !ready:
		*d, err = l.without(ctx, b, &s, err)
	case b.mayWait():
		*d, err = l.askOrWait(ctx, b)
	default:
		err = l.ask(ctx, b, d)
	}
	if err == nil && d.Delay > 0 {
		*d, err = l.sleep(ctx, b, *d)
	}
	l.report(ctx, b, d, err)
	return err
}

func (b *Batch) mayWait() bool {
	for i := range b.Items {
		if b.Items[i].mayWait() {
			return true
		}
	}
	return false
}

// mayWait reports whether the item may be asked again when it has refused.
func (i *Item) mayWait() bool { return i.Rule.Wait > 0 && !i.Shadow && !i.queues() }

// queues reports whether the item has calls wait after they have been charged.
func (i *Item) queues() bool { return i.Rule.Algorithm == LeakyBucket }

// hurry refuses a turn that comes after the deadline of ctx.
func (b *Batch) hurry(ctx context.Context) {
	for i := range b.Items {
		if item := &b.Items[i]; item.queues() && !item.Shadow {
			item.hurry(ctx)
		}
	}
}

func (i *Item) hurry(ctx context.Context) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return
	}
	left := max(time.Until(deadline).Truncate(time.Microsecond), time.Microsecond)
	if i.MaxDelay == 0 || i.MaxDelay > left {
		i.MaxDelay = left
	}
}

// sleep lets the delay pass that d has the call wait for its turn.
func (l *Limiter) sleep(ctx context.Context, b *Batch, d Decision) (Decision, *LimitError) {
	turn := time.NewTimer(d.Delay)
	defer turn.Stop()
	defer b.waits(time.Now())
	select {
	case <-turn.C:
		return d, nil
	case <-ctx.Done():
		return l.undo(ctx, b, d)
	case <-l.done:
		return failed(ErrUnavailable, errClosed, d)
	}
}

// askOrWait asks at once, unless others wait already for what the call needs.
func (l *Limiter) askOrWait(ctx context.Context, b *Batch) (Decision, *LimitError) {
	t := &turn{limiter: l, batch: b, began: time.Now()}
	defer t.leave()
	if ahead, ok := l.lines.follow(&t.waiter, b.Items); ok {
		if d, err := t.judge(ctx, ahead); err != nil || b.decider != ByStore || !t.mayCome(ctx) {
			return d, err
		}
		t.next = t.asked // those before it may leave at any time
		return t.wait(ctx)
	}
	if d, err := t.ask(ctx); t.final(d, err) || !t.mayCome(ctx) {
		return d, err
	}
	return t.wait(ctx)
}

// wait asks whenever quota may have come and it is the call's turn, until the
// wait is over.
func (t *turn) wait(ctx context.Context) (Decision, *LimitError) {
	defer t.batch.waits(time.Now())
	for {
		t.limiter.lines.enter(&t.waiter, t.batch.Items)
		if !t.pause(ctx) {
			return t.giveUp(ctx)
		}
		if _, why := t.limiter.lines.stand(&t.waiter); why != nil {
			return t.limiter.unanswered(ctx, t.batch, why)
		}
		if d, err := t.ask(ctx); t.final(d, err) || !t.mayCome(ctx) {
			return d, err
		}
	}
}

// final reports whether the call is not to be asked for again: it has passed,
// or no store has refused it.
func (t *turn) final(d Decision, err *LimitError) bool {
	return err != nil || d.Allowed || t.batch.decider != ByStore
}

func (b *Batch) waits(since time.Time) { b.waited += time.Since(since) }

// giveUp is the answer of the last time, as it is now.
func (t *turn) giveUp(ctx context.Context) (Decision, *LimitError) {
	d := t.batch.decision()
	d.Allowed, d.Delay, d.charge = false, 0, nil
	switch {
	case ctx.Err() != nil:
		return ended(ctx, d)
	case t.limiter.closed.Load():
		return failed(ErrUnavailable, errClosed, d)
	}
	since := time.Since(t.asked)
	d.RetryAfter = max(d.RetryAfter-since, time.Microsecond)
	d.ResetAfter = max(d.ResetAfter-since, time.Microsecond)
	return d, nil
}

// undo refuses a call that has hung up after it was let pass, and gives back
// what it took.
func (l *Limiter) undo(ctx context.Context, b *Batch, d Decision) (Decision, *LimitError) {
	if !d.Degraded && (d.charge == nil || !d.charge.sent.Swap(true)) {
		if err := l.giveBack(ctx, b.taken(), 0); err != nil {
			l.log.fault(ctx, &l.log.refund, "rate limit not refunded", d.Rule, err)
		}
	}
	d.charge, d.Delay = nil, 0
	return ended(ctx, d)
}
