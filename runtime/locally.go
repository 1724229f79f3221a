package ratelimit

import "context"

// decideLocal has the rules that fail so limit b in this process.
func (l *Limiter) decideLocal(ctx context.Context, b *Batch, cause error) (Decision, *LimitError) {
	part, err := fractionOf(l.local.share)
	if err != nil {
		b.decider = ByPolicy
		l.count(b, refusedClosed)
		return failed(ErrUnavailable, err, b.Items[0].unasked())
	}
	own := NewBatch()
	defer own.Release()
	l.shrink(own, b, part)
	generation, err := l.local.do(ctx, own, l.now())
	switch {
	case ctx.Err() != nil:
		return ended(ctx, b.Items[0].unasked())
	case err != nil:
		return failed(ErrUnavailable, err, b.Items[0].unasked())
	}
	b.decider = ByLocal
	d := own.decision()
	d.Rule, d.Degraded = b.original(&d), true
	if d.charge != nil {
		d.charge.local = generation
	}
	l.count(b, localWay(d.Allowed))
	l.degraded(ctx, l.known(b, d.Rule), "rate limit store failed, calls are limited in this process", cause)
	return d, nil
}

func localWay(passed bool) way {
	if passed {
		return passedLocal
	}
	return refusedLocal
}

// shrink makes own ask for what b asks for of those rules, under their part of
// each limit.
func (l *Limiter) shrink(own, b *Batch, part fraction) {
	own.Op, own.Partial = b.Op, b.Partial
	for i := range b.Items {
		it := &b.Items[i]
		if it.Shadow || l.policy(it.Rule) != FailLocal {
			continue
		}
		for _, s := range b.shares {
			if s.item == i {
				s.item = len(own.Items)
				own.shares = append(own.shares, s)
			}
		}
		own.Items = append(own.Items, Item{
			Rule: it.known.shrunk(it.Rule, part), Key: it.Key, Broken: it.Broken, Tag: it.Tag,
			Cost: it.Cost, Limit: part.of(it.Limit), MaxDelay: it.MaxDelay, known: it.known,
		})
	}
}

// shrunk is r with a part of its burst. It is made once for as long as the part
// is the same.
func (k *known) shrunk(r *Rule, part fraction) *Rule {
	if r.Burst <= 0 {
		return r
	}
	burst := part.of(r.Burst)
	if last := k.local.Load(); last != nil && last.Burst == burst {
		return last
	}
	rule := *r
	rule.Burst = burst
	k.local.Store(&rule)
	return &rule
}

// original is the rule in b that d is about, whose own may be a shrunk one.
func (b *Batch) original(d *Decision) *Rule {
	for i := range b.Items {
		if it := &b.Items[i]; it.Rule.Name == d.Rule.Name && it.Key == d.Key && !it.Shadow {
			return it.Rule
		}
	}
	return d.Rule
}
