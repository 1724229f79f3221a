package ratelimit

import (
	"slices"
	"sync"
	"sync/atomic"
)

// lines are the queues of one Limiter, one for each bucket that a call of this
// process waits for.
//
// A waiter stands in the lines of all buckets that it waits for, in each by
// its ticket. So the oldest of all waiters is the first in all of its lines,
// and no two can wait for each other.
type lines struct {
	waiting atomic.Int64 // lets calls find at a glance that nobody waits

	mu       sync.Mutex
	tickets  int64
	byBucket map[bucket]*line
}

// bucket is what makes a bucket for those that wait.
type bucket struct {
	name, tag, key string
	broken         bool
}

func (i *Item) bucket() bucket { return bucket{i.Rule.Name, i.Tag, i.Key, i.Broken} }

// line is who waits for one bucket, the oldest ticket first.
type line struct {
	waiters []*waiter
	cost    int64 // of all waiters together
}

// waiter is a call that waits.
type waiter struct {
	ticket int64
	costs  map[bucket]int64
	turn   chan struct{} // holds one when it may have become the first
	why    error         // there is nobody to ask, or nil
}

// follow gives w a place behind those that wait for any of the items, and
// tells for each item what stands before it. Without ok nobody waits.
func (q *lines) follow(w *waiter, items []Item) (ahead []int64, ok bool) {
	if q.waiting.Load() == 0 {
		return nil, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	ahead = make([]int64, len(items))
	for i := range items {
		if l := q.byBucket[items[i].bucket()]; l != nil && items[i].mayWait() {
			ahead[i] = l.cost
			q.place(w, &items[i])
		}
	}
	return ahead, w.ticket > 0
}

// enter gives w a place in the lines of the items that refuse. It keeps the
// places that it has.
func (q *lines) enter(w *waiter, items []Item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range items {
		if items[i].refuses() {
			q.place(w, &items[i])
		}
	}
}

func (q *lines) place(w *waiter, item *Item) {
	if w.ticket == 0 {
		q.tickets++
		q.waiting.Add(1)
		w.ticket, w.costs, w.turn = q.tickets, map[bucket]int64{}, make(chan struct{}, 1)
	}
	at := item.bucket()
	if _, there := w.costs[at]; !there {
		w.costs[at] = item.Cost
		q.insert(at, w, item.Cost)
	}
}

func (q *lines) insert(at bucket, w *waiter, cost int64) {
	if q.byBucket == nil {
		q.byBucket = map[bucket]*line{}
	}
	l := q.byBucket[at]
	if l == nil {
		l = &line{}
		q.byBucket[at] = l
	}
	place, _ := slices.BinarySearchFunc(l.waiters, w.ticket, (*waiter).compare)
	l.waiters = slices.Insert(l.waiters, place, w)
	l.cost += cost
}

func (w *waiter) compare(ticket int64) int {
	if w.ticket < ticket {
		return -1
	}
	return 1
}

// leave takes w out of its lines and wakes those that come after it.
func (q *lines) leave(w *waiter) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting.Add(-1)
	for at, cost := range w.costs {
		l := q.byBucket[at]
		place := slices.Index(l.waiters, w)
		l.waiters = slices.Delete(l.waiters, place, place+1)
		l.cost -= cost
		switch {
		case len(l.waiters) == 0:
			delete(q.byBucket, at)
		case place == 0:
			l.waiters[0].wake()
		}
	}
}

// release lets all waiters go, since there is nobody to ask.
func (q *lines) release(why error) {
	if q.waiting.Load() == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range q.byBucket {
		for _, w := range l.waiters {
			w.why = why
			w.wake()
		}
	}
}

func (w *waiter) wake() {
	select {
	case w.turn <- struct{}{}:
	default:
	}
}

// stand reports whether w is the first in all of its lines, and why it was let
// go, if it was.
func (q *lines) stand(w *waiter) (first bool, why error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for at := range w.costs {
		if q.byBucket[at].waiters[0] != w {
			return false, w.why
		}
	}
	return true, w.why
}
