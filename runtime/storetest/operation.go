package storetest

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// acquire checks all items, and charges all if those not in shadow allow it.
func (o *Oracle) acquire(b *ratelimit.Batch) {
	if b.Partial {
		defer o.grant(b)()
	}
	o.look(b)
	if !b.Allowed {
		b.Granted = 0
		return
	}
	for i := range b.Items {
		if it := &b.Items[i]; !it.Shadow {
			it.Result = o.bucket(it).take(it, b.Time)
		}
	}
	for i := range b.Items {
		it := &b.Items[i]
		if !it.Shadow {
			continue
		}
		if it.Result = o.bucket(it).look(it, b.Time); it.Allowed {
			it.Result = o.bucket(it).take(it, b.Time)
		}
	}
}

// look finds what every item has, and charges none.
func (o *Oracle) look(b *ratelimit.Batch) {
	b.Allowed = true
	for i := range b.Items {
		it := &b.Items[i]
		it.Result = o.bucket(it).look(it, b.Time)
		b.Allowed = b.Allowed && (it.Allowed || it.Shadow)
	}
}

// grant makes the cost of all items what every one that is not in shadow has,
// and at least 1. The function it returns puts the costs back.
func (o *Oracle) grant(b *ratelimit.Batch) (restore func()) {
	asked := b.Items[0].Cost
	b.Granted = asked
	for i := range b.Items {
		if it := &b.Items[i]; !it.Shadow {
			b.Granted = min(b.Granted, o.bucket(it).most(it, b.Time))
		}
	}
	set := func(cost int64) {
		for i := range b.Items {
			b.Items[i].Cost = cost
		}
	}
	set(max(b.Granted, 1))
	return func() { set(asked) }
}

// most returns the highest cost that would pass.
func (b *bucket) most(it *ratelimit.Item, t int64) int64 {
	b.state.repair(t)
	if !b.inTime(it, t) {
		return 0
	}
	left := it.Rule.Capacity(it.Limit) - b.used(t, it.Limit)
	return min(left, it.Rule.MaxCost(it.Limit))
}

func (o *Oracle) refund(b *ratelimit.Batch) {
	b.Allowed = true
	for i := range b.Items {
		it := &b.Items[i]
		bucket := o.bucket(it)
		bucket.state.repair(b.Time)
		found := bucket.state.refund(bucket.now(b.Time), it.Receipt, it.Cost, it.Limit)
		receipt := it.Receipt
		it.Result = bucket.result(it, b.Time)
		it.Allowed, it.Receipt = found, receipt
	}
}

func (o *Oracle) reset(b *ratelimit.Batch) {
	b.Allowed = true
	for i := range b.Items {
		it := &b.Items[i]
		delete(o.buckets, idOf(it))
		it.Result = ratelimit.Result{Allowed: true}
	}
}
