package memory

import ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"

// look finds what every item has, and charges none.
func (s *Store) look(b *ratelimit.Batch, works []work) {
	b.Allowed = true
	for i := range works {
		it := &b.Items[i]
		s.check(&works[i], it, b.Time)
		b.Allowed = b.Allowed && (it.Allowed || it.Shadow)
	}
}

func (s *Store) check(w *work, it *ratelimit.Item, t int64) {
	s.find(w)
	w.check(it, t)
}

// find finds the bucket of w, if there is one, and holds it.
func (s *Store) find(w *work) {
	if w.bucket = s.shard(w.id.hash).table.find(&w.id); w.bucket != nil {
		w.bucket.hold()
		w.bucket.touch()
	}
}

func (w *work) check(it *ratelimit.Item, t int64) {
	var unused state
	st := &unused
	if w.bucket != nil {
		st = &w.bucket.state
	}
	w.sight = st.check(it, t)
	st.reset(it, w.sight, t)
}

// charge takes what check has allowed.
func (s *Store) charge(w *work, it *ratelimit.Item, t int64) {
	if w.bucket == nil {
		w.bucket = newBucket(&w.id)
		w.bucket.hold()
		s.shard(w.id.hash).add(w.bucket, &s.clock)
		s.sweep.arm(s)
	}
	w.bucket.charge(it, w.sight, t)
	s.clock.mark(w.bucket)
}

func (s *Store) acquire(b *ratelimit.Batch, works []work) {
	if b.Partial {
		asked := b.Items[0].Cost
		b.Granted = s.grant(b, works)
		setCost(b, max(1, b.Granted))
		defer setCost(b, asked)
	}
	if s.look(b, works); !b.Allowed { // nothing was granted then
		return
	}
	s.chargeAll(b, works)
	s.chargeShadows(b, works)
}

// grant returns as much of the cost as every item has that is not in shadow.
func (s *Store) grant(b *ratelimit.Batch, works []work) int64 {
	granted := b.Items[0].Cost
	setCost(b, 1)
	for i := range works {
		it := &b.Items[i]
		if it.Shadow {
			continue
		}
		if s.check(&works[i], it, b.Time); !it.Allowed {
			return 0
		}
		granted = min(granted, it.Remaining, it.Rule.MaxCost(it.Limit))
	}
	return granted
}

func setCost(b *ratelimit.Batch, cost int64) {
	for i := range b.Items {
		b.Items[i].Cost = cost
	}
}

// chargeAll takes what look has allowed. A new bucket may take the place of
// another of this batch, so those that exist are charged first.
func (s *Store) chargeAll(b *ratelimit.Batch, works []work) {
	for i := range works {
		if w := &works[i]; w.bucket != nil && !b.Items[i].Shadow {
			s.charge(w, &b.Items[i], b.Time)
		}
	}
	for i := range works {
		if w := &works[i]; w.bucket == nil && !b.Items[i].Shadow {
			s.charge(w, &b.Items[i], b.Time)
		}
	}
}

// chargeShadows decides about the items in shadow, one after the other: they
// may share buckets with each other and with the rest.
func (s *Store) chargeShadows(b *ratelimit.Batch, works []work) {
	for i := range works {
		w, it := &works[i], &b.Items[i]
		if !it.Shadow {
			continue
		}
		if s.check(w, it, b.Time); it.Allowed {
			s.charge(w, it, b.Time)
		}
	}
}

func (s *Store) refund(b *ratelimit.Batch, works []work) {
	b.Allowed = true
	for i := range works {
		w, it := &works[i], &b.Items[i]
		receipt := it.Receipt
		s.check(w, it, b.Time)
		found := w.bucket != nil && w.bucket.refund(it, w.sight.now, receipt)
		if found && w.bucket.empty() {
			s.shard(w.id.hash).forget(w.bucket)
			w.bucket = nil
		}
		w.check(it, b.Time)
		it.Allowed, it.RetryAfter, it.Receipt = found, 0, receipt
	}
}

func (s *Store) reset(b *ratelimit.Batch, works []work) {
	b.Allowed = true
	for i := range works {
		w := &works[i]
		if s.find(w); w.bucket != nil {
			s.shard(w.id.hash).forget(w.bucket)
		}
		b.Items[i].Result = ratelimit.Result{Allowed: true}
	}
}
