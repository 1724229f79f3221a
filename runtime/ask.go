package ratelimit

import (
	"cmp"
	"context"
	"time"
)

// operate carries out op without waiting. What is decided it writes to d, as all
// that stand on the path of every call: a Decision is too large to be handed on
// by each of them.
func (l *Limiter) operate(ctx context.Context, op Op, atMost int64, requests []Request, d *Decision) error {
	l = l.orNone()
	b := NewBatch()
	defer b.Release()
	b.Op, b.Partial = op, atMost > 0
	began := l.clock()
	err := l.decide(ctx, b, atMost, requests, d)
	if op != OpReset {
		l.observeDecision(ctx, b, began, d, err)
	}
	if op == OpAcquire {
		l.report(ctx, b, d, err)
		record(ctx, d)
	}
	if err != nil {
		return err
	}
	return nil
}

func (l *Limiter) decide(ctx context.Context, b *Batch, atMost int64, requests []Request, d *Decision) (err *LimitError) {
	if l.recall(ctx, b, requests, d) {
		return nil
	}
	var s subject
	ready, err := l.begin(ctx, b, requests, &s)
	if !ready {
		*d, err = l.without(ctx, b, &s, err)
		return err
	}
	if atMost > 0 {
		b.takeAtMost(atMost)
	}
	return l.ask(ctx, b, d)
}

// begin fills b. It is not ready where there is nothing to ask a store.
func (l *Limiter) begin(ctx context.Context, b *Batch, requests []Request, s *subject) (ready bool, err *LimitError) {
	err = l.prepare(ctx, b, requests, s)
	return err == nil && len(b.Items) > 0 && ctx.Err() == nil && !s.refused && !l.closed.Load(), err
}

// without is the decision where begin was not ready.
func (l *Limiter) without(ctx context.Context, b *Batch, s *subject, err *LimitError) (Decision, *LimitError) {
	d := Decision{Allowed: !s.refused, Rule: s.rule, Key: s.key}
	switch {
	case err != nil:
		return err.Decision, err
	case ctx.Err() != nil:
		return ended(ctx, d)
	case len(b.Items) == 0 || s.refused:
		d.Time = time.Now()
		return d, nil
	}
	return failed(ErrUnavailable, errClosed, d)
}

// recall decides a call for one request by a refusal that is remembered, where a
// glance shows that all is as usual; ask looks closely. It writes to nothing that
// others share, and not even to b what the collector minds.
func (l *Limiter) recall(ctx context.Context, b *Batch, requests []Request, d *Decision) bool {
	if l.deny == nil || len(requests) != 1 || b.Op != OpAcquire || b.Partial {
		return false
	}
	r := &requests[0]
	k := l.glance(b, r)
	if k == nil {
		return false
	}
	b.recalled = true
	denied := l.deny.find(k, r.Rule, r.Key, r.tag(), r.cost(), cmp.Or(r.Limit, r.Rule.Limit))
	if denied == nil || ctx.Err() != nil || l.closed.Load() {
		return false
	}
	now := l.now()
	if now >= denied.until {
		return false
	}
	denied.again(d, r.Rule, now)
	b.decider, b.asked = ByDenyCache, now
	b.giveWay()
	return true
}

// glance returns what b knows of the rule of r, or nil where there is more to be
// looked at.
func (l *Limiter) glance(b *Batch, r *Request) *known {
	if r.Rule == nil || r.Rule.Private || r.untagged() || r.broken() != nil || l.policy(r.Rule) == FailLocal {
		return nil
	}
	k := b.recent.find(l.rules, r.Rule.Name)
	if k == nil || k.rule.differs(r.Rule) != "" || r.Rule.checkPolicy() != nil {
		return nil
	}
	return k
}

// ask has the store carry out b, unless a refusal is known already.
func (l *Limiter) ask(ctx context.Context, b *Batch, d *Decision) (failure *LimitError) {
	asked := l.asking()
	if l.deny != nil && !b.recalled && l.deny.refuse(b, asked, d) {
		b.decider, b.asked = ByDenyCache, asked
		b.giveWay()
		return nil
	}
	epoch := l.deny.now()
	if err := l.put(ctx, b, asked); err != nil {
		*d, failure = l.unanswered(ctx, b, err)
		return failure
	}
	b.decider = ByStore
	switch b.Op {
	case OpAcquire:
		l.deny.learn(b, asked, epoch)
		l.reportShadows(ctx, b)
	case OpReset:
		l.deny.forget(b.Items)
	}
	b.conclude(d)
	return nil
}

// asking is the Limiter's time, or 0 where nobody needs it: to read the clock is a
// good part of a call that an instant store decides.
func (l *Limiter) asking() time.Duration {
	if l.instant && !l.watched() {
		return 0
	}
	return l.now()
}

// put has the store carry out b at the Limiter's time asked, unless its circuit
// is open.
func (l *Limiter) put(ctx context.Context, b *Batch, asked time.Duration) (err error) {
	if b.asked = asked; !l.instant {
		b.Deadline = l.start.Add(asked + l.timeout)
	}
	if l.circuit != nil {
		err = l.circuit.do(ctx, b, asked)
	} else {
		err = l.try(ctx, b, asked)
	}
	if l.watched() && !unasked(err) {
		l.observeStore(ctx, b.Op, l.now()-asked, err)
	}
	if err != nil && !unasked(err) && l.judge(ctx, err) == failing && l.fault(err) == SetupFault {
		l.log.refusing(ctx, err)
	}
	return err
}

// try has a store carry out b that has no circuit.
func (l *Limiter) try(ctx context.Context, b *Batch, asked time.Duration) error {
	err := l.store.Do(ctx, b)
	switch l.judge(ctx, err) {
	case answered:
		l.outage.end()
	case failing:
		if l.instant {
			asked = l.now()
		}
		l.fail(asked)
		l.lines.release(err)
	}
	return err
}

func failed(kind, cause error, d Decision) (Decision, *LimitError) {
	d.Allowed = false
	if d.Time.IsZero() {
		d.Time = time.Now()
	}
	return d, newLimitError(kind, cause, &d)
}

// ended refuses a call whose context has ended, as the failure of no store.
func ended(ctx context.Context, d Decision) (Decision, *LimitError) {
	return failed(ErrLimited, ctx.Err(), d)
}
