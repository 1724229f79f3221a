package ratelimit

import (
	"context"
	"errors"
)

// subject is what the decision speaks of where there is nobody to ask: the first
// rule, or one that a limit of 0 makes refuse.
type subject struct {
	rule    *Rule
	key     string
	refused bool
}

// prepare fills b with the distinct buckets that a call draws from.
func (l *Limiter) prepare(ctx context.Context, b *Batch, requests []Request) (s subject, _ *LimitError) {
	for i := range requests {
		r := &requests[i]
		if r.Rule == nil {
			continue
		}
		of := subject{rule: r.Rule, key: r.key()}
		limit, err := l.vet(ctx, r, of)
		if err != nil {
			return of, err
		}
		if s.rule == nil {
			s = of
		}
		switch {
		case limit > 0:
			b.add(r, of.key, limit)
		case !s.refused && !r.Rule.Shadow:
			s, s.refused = of, true
		}
	}
	return s, nil
}

// vet returns the limit of r, or why r is refused whatever its bucket holds.
func (l *Limiter) vet(ctx context.Context, r *Request, s subject) (int64, *LimitError) {
	k, err := l.rules.of(r.Rule)
	if err == nil && l.store == nil {
		err = errNoStore
	}
	if err != nil {
		return 0, newLimitError(ErrRule, err, s.refusal())
	}
	if l.policy(r.Rule) == FailLocal && l.local.fault() != "" {
		return 0, newLimitError(ErrRule, errors.New("fail: "+l.local.fault()), s.refusal())
	}
	limit, err := r.quota()
	if err != nil {
		return 0, newLimitError(ErrRule, err, s.refusal())
	}
	if err := r.broken(); err != nil {
		l.log.broken(ctx, k, err)
		if (l.policy(r.Rule) == FailClosed || limit == 0) && !r.Rule.Shadow {
			return 0, newLimitError(ErrKey, err, s.refusal())
		}
	}
	return limit, nil
}

func (s subject) refusal() Decision { return Decision{Rule: s.rule, Key: s.key} }

// add asks b for what r asks. Requests that meet in one bucket are summed,
// under the lowest of their limits.
func (b *Batch) add(r *Request, key string, limit int64) {
	item := Item{Rule: r.Rule, Key: key, Tag: r.tag(), Cost: r.cost(), Limit: limit, Shadow: r.Rule.Shadow}
	if r.broken() != nil {
		item.Key, item.Broken = "", true
	}
	if item.queues() {
		item.MaxDelay = r.Rule.Wait
	}
	at := b.find(&item)
	if at == len(b.Items) {
		b.Items = append(b.Items, item)
	} else {
		b.Items[at].join(&item)
	}
	if r.Rule.Refund != nil {
		b.shares = append(b.shares, share{item: at, cost: item.Cost, when: r.Rule.Refund})
	}
}

// find returns where the bucket of item stands in b, or would.
func (b *Batch) find(item *Item) int {
	for i := range b.Items {
		if b.Items[i].meets(item) {
			return i
		}
	}
	return len(b.Items)
}

func (i *Item) meets(other *Item) bool {
	return i.Key == other.Key && i.Broken == other.Broken && i.Shadow == other.Shadow &&
		i.Tag == other.Tag && i.Rule.Name == other.Rule.Name
}

func (i *Item) join(other *Item) {
	i.Cost = min(i.Cost+other.Cost, MaxCost)
	if other.Limit < i.Limit {
		i.Rule, i.Limit = other.Rule, other.Limit
	}
}
