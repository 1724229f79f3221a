package redisstore

import (
	"fmt"
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
	head := r.len() - fields*len(c.order)
	switch {
	case b.Op == ratelimit.OpReset:
		b.Time, b.Allowed = r.at(0), true
		for i := range b.Items {
			b.Items[i].Result = ratelimit.Result{Allowed: true}
		}
		return true, nil
	case r.len() == 1:
		b.Time = r.at(0)
		return false, nil
	case head != 1 && head != 2:
		return false, fmt.Errorf("redisstore: a reply of %d bytes for %d buckets", len(r), len(c.order))
	}
	b.Time, b.Allowed, b.Granted = r.at(0), true, 0
	for at, i := range c.order {
		it := &b.Items[i]
		it.Result = r.result(head+fields*at, it.Receipt)
		b.Allowed = b.Allowed && (it.Allowed || it.Shadow)
	}
	if b.Op == ratelimit.OpRefund {
		settle(b)
	}
	if b.Partial && b.Allowed {
		b.Granted = min(r.at(1), b.Items[0].Cost)
	}
	return true, nil
}

// settle makes of what a refund says in place of RetryAfter what it means.
func settle(b *ratelimit.Batch) {
	b.Allowed = true
	for i := range b.Items {
		b.Items[i].RetryAfter = 0
	}
}

func (r reply) result(at int) ratelimit.Result {
	found := ratelimit.Result{
		Remaining:  r.at(at),
		RetryAfter: r.duration(at + 1),
		ResetAfter: r.duration(at + 2),
		Delay:      r.duration(at + 3),
	}
	found.Allowed = found.RetryAfter == 0
	if found.RetryAfter < 0 {
		found.RetryAfter = ratelimit.Never
	}
	return found
}
