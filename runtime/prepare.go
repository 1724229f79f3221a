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
	decided bool // by what is remembered
}

// prepare fills b with the distinct buckets that a call draws from. A call for one
// that is known to refuse needs no b: it is decided.
func (l *Limiter) prepare(ctx context.Context, b *Batch, requests []Request, d *Decision) (s subject, _ *LimitError) {
	for i := range requests {
		r := &requests[i]
		if r.Rule == nil {
			continue
		}
		of := subject{rule: r.Rule, key: r.key()}
		k, limit, err := l.vet(ctx, b, r, of)
		if err != nil {
			return of, err
		}
		if s.rule == nil {
			s = of
		}
		if limit <= 0 {
			s.deny(of)
			continue
		}
		if len(requests) == 1 && l.deny != nil && l.recall(ctx, b, k, r, of.key, limit, d) {
			s.decided = true
			break
		}
		b.add(k, r, of.key, limit)
	}
	return s, nil
}

// deny makes s speak of a request whose limit is 0, if it is the first one.
func (s *subject) deny(of subject) {
	if !s.refused && !of.rule.Shadow {
		*s, s.refused = of, true
	}
}

// vet returns what is known of the rule of r and the limit of r, or why r is
// refused whatever its bucket holds.
func (l *Limiter) vet(ctx context.Context, b *Batch, r *Request, s subject) (*known, int64, *LimitError) {
	k, err := l.rules.of(r.Rule, &b.recent)
	if err == nil && l.store == nil {
		err = errNoStore
	}
	if err != nil {
		return nil, 0, newLimitError(ErrRule, err, s.refusal())
	}
	if l.policy(r.Rule) == FailLocal && l.local.fault() != "" {
		return nil, 0, newLimitError(ErrRule, errors.New("fail: "+l.local.fault()), s.refusal())
	}
	limit, err := r.quota()
	if b.Op == OpReset { // which forgets a bucket, whatever its limit
		limit, err = max(limit, 1), nil
	}
	if err != nil {
		return nil, 0, newLimitError(ErrRule, err, s.refusal())
	}
	if err := r.broken(); err != nil {
		l.log.broken(ctx, k, err)
		if (l.policy(r.Rule) == FailClosed || limit == 0) && !r.Rule.Shadow {
			return nil, 0, newLimitError(ErrKey, err, s.refusal())
		}
	}
	return k, limit, nil
}

func (s subject) refusal() *Decision { return &Decision{Rule: s.rule, Key: s.key} }

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
