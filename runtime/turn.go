package ratelimit

import (
	"context"
	"math"
	"math/bits"
	"time"
)

// turn is one call on its way through the lines.
type turn struct {
	limiter *Limiter
	batch   *Batch // with the answer of the last time it was asked
	waiter  waiter
	began   time.Time
	asked   time.Time // the last time
	next    time.Time // when quota may have come
	until   time.Time // when the wait is over
}

func (t *turn) leave() {
	if t.waiter.ticket > 0 {
		t.limiter.lines.leave(&t.waiter)
	}
}

// ask asks so that the answer is known even if the caller hangs up meanwhile:
// what it would have taken is then given back.
func (t *turn) ask(ctx context.Context) (Decision, *LimitError) {
	t.asked = time.Now()
	var d Decision
	err := t.limiter.ask(context.WithoutCancel(ctx), t.batch, &d)
	if err == nil && d.Allowed && ctx.Err() != nil {
		return t.limiter.undo(ctx, t.batch, d)
	}
	return d, err
}

// mayCome reports whether quota comes before the wait and the deadline end.
func (t *turn) mayCome(ctx context.Context) bool {
	t.until = t.began.Add(t.batch.patience())
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(t.until) {
		t.until = deadline
	}
	var retry time.Duration
	if !t.batch.Allowed {
		retry = t.batch.slowest().retryAfter()
	}
	t.next = t.asked.Add(retry)
	return retry <= t.until.Sub(t.asked)
}

// patience is the shortest wait of the rules that refuse this time, or, where
// none does, of those that wait.
func (b *Batch) patience() time.Duration {
	refusing, waiting := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for i := range b.Items {
		item := &b.Items[i]
		if item.refuses() {
			refusing = min(refusing, item.wait())
		}
		if item.mayWait() {
			waiting = min(waiting, item.Rule.Wait)
		}
	}
	return min(refusing, waiting)
}

// wait is how long a call may be refused by the item and asked again.
func (i *Item) wait() time.Duration {
	if i.queues() {
		return 0
	}
	return i.Rule.Wait
}

// pause lasts until quota may have come and it is the call's turn, or until
// there is nobody to ask. It reports false when the wait is over, the caller
// has hung up or the Limiter is closed.
func (t *turn) pause(ctx context.Context) bool {
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for {
		first, why := t.limiter.lines.stand(&t.waiter)
		now := time.Now()
		switch {
		case why != nil:
			return true
		case ctx.Err() != nil, t.limiter.closed.Load(), !now.Before(t.until) && !first:
			return false
		case first && !now.Before(t.next):
			return true
		case first:
			alarm.Reset(t.next.Sub(now))
		default:
			alarm.Reset(t.until.Sub(now))
		}
		select {
		case <-alarm.C:
		case <-t.waiter.turn:
		case <-ctx.Done():
		case <-t.limiter.done:
		}
	}
}

// judge asks, of a call that has a place behind others, when quota can come
// with all that stands before it. The batch then holds that answer.
func (t *turn) judge(ctx context.Context, ahead []int64) (Decision, *LimitError) {
	b := t.batch
	peek := NewBatch()
	defer peek.Release()
	peek.Op = OpPeek
	peek.Items = append(peek.Items, b.Items...)
	later := make([]time.Duration, len(ahead))
	for i := range peek.Items {
		later[i] = peek.Items[i].include(ahead[i])
	}
	t.asked = time.Now()
	if err := t.limiter.put(ctx, peek, t.limiter.now()); err != nil {
		return t.limiter.unanswered(ctx, b, err)
	}
	b.decider, b.Time, b.Allowed = ByStore, peek.Time, true
	for i := range b.Items {
		b.Items[i].Result = peek.Items[i].Result
		b.Items[i].postpone(later[i])
		b.Allowed = b.Allowed && !b.Items[i].refuses()
	}
	return b.decision(), nil
}

// include makes the item ask for what stands before it as well. What is more
// than an instant can admit is taken off in rounds, whose time it returns.
func (i *Item) include(ahead int64) time.Duration {
	capacity := i.capacity()
	if i.Cost > capacity {
		return 0
	}
	i.Cost += ahead
	if i.Cost <= capacity {
		return 0
	}
	round := min(capacity, i.Limit)
	rounds := (i.Cost - capacity + round - 1) / round
	i.Cost -= rounds * round
	return times(rounds, share64(i.window(), round, i.Limit))
}

// window is how long the window lasts that is running now.
func (i *Item) window() time.Duration {
	if i.Rule.Calendar == 0 {
		return i.Rule.Window
	}
	begin, end := i.Rule.WindowAt(time.Now().UnixMicro())
	return time.Duration(end-begin) * time.Microsecond
}

// postpone adds the time of the rounds that were taken off.
func (i *Item) postpone(later time.Duration) {
	if later == 0 || i.RetryAfter == Never {
		return
	}
	i.Allowed = false
	if i.RetryAfter += later; i.RetryAfter < 0 {
		i.RetryAfter = math.MaxInt64
	}
}

// times is n times d, or the longest duration.
func times(n int64, d time.Duration) time.Duration {
	if hi, lo := bits.Mul64(uint64(n), uint64(d)); hi == 0 && lo <= math.MaxInt64 {
		return time.Duration(lo)
	}
	return math.MaxInt64
}

// share64 is d*part/whole, for a part of at most the whole.
func share64(d time.Duration, part, whole int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(part))
	quotient, _ := bits.Div64(hi, lo, uint64(whole))
	return time.Duration(quotient)
}
