package redisstore

import (
	"errors"
	"math"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// reply is a script's answer: doubles that are whole numbers, packed with the
// lowest byte first.
type reply string

const double = 8 // bytes

func (r reply) len() int { return len(r) / double }

func (r reply) at(i int) int64 {
	var bits uint64
	for j := range double {
		bits |= uint64(r[double*i+j]) << (8 * j)
	}
	return int64(math.Float64frombits(bits))
}

func (r reply) duration(i int) time.Duration {
	return time.Duration(r.at(i)) * time.Microsecond
}

const fields = 4 // of one bucket

// unpack writes the reply to c into b. It returns false if the reply is only
// the time, since no window of a calendar that was sent has it.
func (c *call) unpack(b *ratelimit.Batch) (bool, error) {
	r := c.reply
	if r.len() == 0 {
		return false, errReply
	}
	b.Time, b.Allowed, b.Granted = r.at(0), true, 0
	if b.Op == ratelimit.OpReset {
		forget(b)
		return true, nil
	}
	if r.len() == 1 {
		return false, nil
	}
	if c.turn != alone {
		return true, r.share(b, c.order, c.turn)
	}
	head := r.len() - fields*len(c.order)
	if head != 1 && head != 2 {
		return false, errReply
	}
	for at, i := range c.order {
		r.decide(b, &b.Items[i], head+fields*at)
	}
	if b.Partial && b.Allowed {
		b.Granted = min(r.at(1), b.Items[0].Cost)
	}
	return true, nil
}

var errReply = errors.New("redisstore: a script's reply does not have the length that it should")

func forget(b *ratelimit.Batch) {
	for i := range b.Items {
		b.Items[i].Result = ratelimit.Result{Allowed: true}
	}
}

// decide writes what r says from at on into it.
func (r reply) decide(b *ratelimit.Batch, it *ratelimit.Item, at int) {
	found := ratelimit.Result{
		Allowed:    r.at(at+1) == 0,
		Remaining:  r.at(at),
		RetryAfter: max(r.duration(at+1), ratelimit.Never),
		ResetAfter: r.duration(at + 2),
		Delay:      r.duration(at + 3),
		Receipt:    receipt(it.Rule, b.Time+r.at(at+2)),
	}
	if b.Op == ratelimit.OpRefund {
		// It says there whether there was anything to give back to.
		found.RetryAfter, found.Receipt = 0, it.Receipt
	} else {
		b.Allowed = b.Allowed && (found.Allowed || it.Shadow)
	}
	it.Result = found
}

// receipt is what tells a refund where a charge went that has made the bucket
// as new at end: the time that was written, or for a calendar and a queue their
// end.
func receipt(r *ratelimit.Rule, end int64) int64 {
	switch r.Algorithm {
	case ratelimit.SlidingCounter:
		return end - 2*r.Window.Microseconds()
	case ratelimit.LeakyBucket:
		return end
	}
	return end - r.Window.Microseconds()
}
