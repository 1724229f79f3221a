package ratelimit

import (
	"context"
	"time"
)

// Store decides. Its users call a [Limiter], which calls it.
//
// All stores make the same decisions; package storetest holds their one
// definition and the tests for it.
type Store interface {
	// Do carries out b.Op on all items of b in one atomic step and fills in
	// b.Time, b.Allowed and the items' results.
	//
	// It returns by b.Deadline, whatever the store's client does, with an
	// error that is [context.DeadlineExceeded] if it has no answer by then;
	// and once ctx ends, with ctx's error. If work on b goes on after that, b
	// is held with Retain until it is done. An error says that no decision
	// was made that the caller may rely on; one that is [ErrRule] that none
	// can ever be made, since the items are wrong.
	//
	// A Store may gather the batches of concurrent calls into one message.
	Do(ctx context.Context, b *Batch) error

	// Ready connects to what the store needs and says what is wrong with it.
	Ready(ctx context.Context) error

	// Close ends what the store has started. Later calls of Do fail.
	Close() error
}

// Remote is what a [Store] is as well that is asked over a network and decides
// by the time of the real world: its refusals are worth remembering, see
// [WithDenyCache].
type Remote interface {
	Remote() bool
}

// Instant is what a [Store] is as well that decides at once, whatever the time: its
// batches have no Deadline.
type Instant interface {
	// Instant is asked of a Limiter's store about itself. One that embeds another has
	// this method too, and what it adds may need time.
	Instant(s Store) bool
}

// Op is what a [Store] is to do.
type Op uint8

const (
	// OpAcquire checks all items, and if every one has the quota, deducts
	// from all; else from none, and the store stays as it was.
	//
	// Items in Shadow come after the others, one by one in their order. They
	// have no say in whether the batch is allowed, and each is charged if it
	// is and the item has the quota.
	OpAcquire Op = iota

	// OpPeek finds what OpAcquire would find, and changes nothing.
	OpPeek

	// OpRefund gives back what OpAcquire took: of each item its Cost, charged
	// with its Receipt. Allowed says whether there was anything to give back
	// to, the other results are those of OpPeek afterwards.
	OpRefund

	// OpReset forgets all items, which then are as if never used. It has no
	// results.
	OpReset
)

// Batch is the buckets that one call draws from, and the answer.
type Batch struct {
	Op       Op
	Deadline time.Time // the zero Time if the Store is Instant
	Items    []Item    // at least one; those not in Shadow are distinct buckets

	// Partial lets OpAcquire take less than the cost, which is the same of all
	// items: as much as every item that is not in Shadow has, but not nothing.
	Partial bool

	// The answer.

	Allowed bool
	Time    int64 // the clock that decided, in microseconds since 1970
	Granted int64 // with Partial and Allowed, the cost that all items were charged

	refs     int32
	shares   []share
	decider  Decider
	recalled bool          // what is remembered of the only item has been looked for
	tired    bool          // others are to get the processor, see giveWay
	asked    time.Duration // when, by the Limiter's time, the last time; 0 if never
	waited   time.Duration

	// What outlives the call.

	recent recent
	lane   uint32 // of tallies
	again  uint32 // refusals that were remembered, of all calls that had b
}

// Item is one bucket of a [Batch] and what is asked of it.
type Item struct {
	Rule   *Rule  // a checked one
	Key    string // the bucket's key within the rule, any bytes
	Broken bool   // the bucket that the rule's broken keys share; Key is empty
	Tag    string // what places the bucket in a cluster, any bytes; may be empty
	Cost   int64  // 1 to MaxCost
	Limit  int64  // 1 to what the rule's algorithm holds
	Shadow bool   // never blocks the others

	// MaxDelay bounds the Delay of an algorithm that has one: a turn further
	// off is a refusal, with a RetryAfter of what it is too far. 0 is no bound.
	MaxDelay time.Duration

	Result

	known *known // of the rule, by the Limiter that asks
}

// MaxCost is the highest cost that reaches a [Store]. It is above every limit,
// and stands for any cost that is.
const MaxCost = 1<<53 + 2

// Never is the RetryAfter of an item whose cost is above its limit.
const Never time.Duration = -1

// Result is what a [Store] found in one bucket. All durations are in whole
// microseconds.
type Result struct {
	Allowed    bool          // the bucket has the quota, whatever the others have
	Remaining  int64         // left after this call
	RetryAfter time.Duration // 0 where Allowed; exact, or Never
	ResetAfter time.Duration
	Delay      time.Duration

	// Receipt tells OpRefund where the cost was charged: the window, the cell,
	// the time. OpRefund reads it, OpAcquire writes it.
	Receipt int64
}
