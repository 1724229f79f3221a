package ratelimit

import (
	"context"
	"errors"
)

// prepare fills b with the distinct buckets that a call draws from. The
// decision is what holds when there is nobody to ask, but for its time: it
// speaks of the first rule, and is a refusal where a limit of 0 makes one.
func (l *Limiter) prepare(ctx context.Context, b *Batch, requests []Request) (Decision, *LimitError) {
	d := Decision{Allowed: true}
	for i := range requests {
		r := &requests[i]
		if r.Rule == nil {
			continue
		}
		of := Decision{Rule: r.Rule, Key: r.key()}
		limit, err := l.vet(ctx, r, of)
		if err != nil {
			return of, err
		}
		if d.Rule == nil {
			d.Rule, d.Key = of.Rule, of.Key
		}
		switch {
		case limit > 0:
			b.add(r, of.Key, limit)
		case d.Allowed && !r.Rule.Shadow:
			d = of
		}
	}
	return d, nil
}

// vet returns the limit of r, or why r is refused whatever its bucket holds.
func (l *Limiter) vet(ctx context.Context, r *Request, d Decision) (int64, *LimitError) {
	k, err := l.rules.of(r.Rule)
	if err == nil && l.store == nil {
		err = errNoStore
	}
	if err != nil {
		return 0, newLimitError(ErrRule, err, d)
	}
	if l.policy(r.Rule) == FailLocal && l.local.fault() != "" {
		return 0, newLimitError(ErrRule, errors.New("fail: "+l.local.fault()), d)
	}
	limit, err := r.quota()
	if err != nil {
		return 0, newLimitError(ErrRule, err, d)
	}
	if err := r.broken(); err != nil {
		l.log.broken(ctx, k, err)
		if (l.policy(r.Rule) == FailClosed || limit == 0) && !r.Rule.Shadow {
			return 0, newLimitError(ErrKey, err, d)
		}
	}
	return limit, nil
}

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
