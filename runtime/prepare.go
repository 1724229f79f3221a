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

// prepare fills b with the distinct buckets that a call draws from, and s.
func (l *Limiter) prepare(ctx context.Context, b *Batch, requests []Request, s *subject) *LimitError {
	for i := range requests {
		r := &requests[i]
		if r.Rule == nil {
			continue
		}
		k, limit, err := l.vet(ctx, b, r)
		if err != nil {
			return err
		}
		key := r.key()
		if s.rule == nil {
			s.rule, s.key = r.Rule, key
		}
		if limit <= 0 {
			s.deny(r.Rule, key)
			continue
		}
		b.add(k, r, key, limit)
	}
	return nil
}

// deny makes s speak of a request whose limit is 0, if it is the first one.
func (s *subject) deny(r *Rule, key string) {
	if !s.refused && !r.Shadow {
		s.rule, s.key, s.refused = r, key, true
	}
}

// vet returns what is known of the rule of r and the limit of r, or why r is
// refused whatever its bucket holds.
func (l *Limiter) vet(ctx context.Context, b *Batch, r *Request) (*known, int64, *LimitError) {
	k, err := l.rules.of(r.Rule, &b.recent)
	switch {
	case err != nil:
	case l.store == nil:
		err = errNoStore
	case r.untagged():
		err = errNoTag
	}
	if err != nil {
		return nil, 0, r.refuse(ErrRule, err)
	}
	if l.policy(r.Rule) == FailLocal && l.local.fault() != "" {
		return nil, 0, r.refuse(ErrRule, errors.New("fail: "+l.local.fault()))
	}
	limit, err := r.quota()
	if b.Op == OpReset { // which forgets a bucket, whatever its limit
		limit, err = max(limit, 1), nil
	}
	if err != nil {
		return nil, 0, r.refuse(ErrRule, err)
	}
	if err := r.broken(); err != nil {
		l.log.broken(ctx, k, err)
		if (l.policy(r.Rule) == FailClosed || limit == 0) && !r.Rule.Shadow {
			return nil, 0, r.refuse(ErrKey, err)
		}
	}
	return k, limit, nil
}

func (r *Request) refuse(kind, cause error) *LimitError {
	return newLimitError(kind, cause, &Decision{Rule: r.Rule, Key: r.key()})
}

// add asks b for what r asks. Requests that meet in one bucket are summed,
// under the lowest of their limits.
func (b *Batch) add(k *known, r *Request, key string, limit int64) {
	item := b.extend()
	item.known, item.Rule, item.Key, item.Tag = k, r.Rule, key, r.tag()
	item.Cost, item.Limit, item.Shadow = r.cost(), limit, r.Rule.Shadow
	if r.broken() != nil {
		item.Key, item.Broken = "", true
	}
	if item.queues() {
		item.MaxDelay = r.Rule.Wait
	}
	at := b.find(item)
	if r.Rule.Refund != nil {
		b.shares = append(b.shares, share{item: at, cost: item.Cost, when: r.Rule.Refund})
	}
	if met := &b.Items[at]; met != item {
		met.join(item)
		b.drop()
	}
}

// find returns where the bucket of item, the last one of b, stands in b.
func (b *Batch) find(item *Item) int {
	last := len(b.Items) - 1
	for i := range last {
		if b.Items[i].meets(item) {
			return i
		}
	}
	return last
}

func (i *Item) meets(other *Item) bool {
	return i.known == other.known && i.Key == other.Key && i.Tag == other.Tag &&
		i.Broken == other.Broken && i.Shadow == other.Shadow
}

func (i *Item) join(other *Item) {
	i.Cost = min(i.Cost+other.Cost, MaxCost)
	if other.Limit < i.Limit {
		i.Rule, i.Limit = other.Rule, other.Limit
	}
}
