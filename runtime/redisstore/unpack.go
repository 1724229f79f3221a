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

// unpack writes a reply into b.
func unpack(b *ratelimit.Batch, r reply) error {
	head := 1
	if len(b.Items) > 1 {
		head = 2
	}
	if r.len() != head+fields*len(b.Items) {
		return fmt.Errorf("redisstore: a reply of %d bytes for %d buckets", len(r), len(b.Items))
	}
	b.Time, b.Allowed = r.at(0), true
	for i := range b.Items {
		b.Items[i].Result = r.result(head + fields*i)
		b.Allowed = b.Allowed && b.Items[i].Allowed
	}
	return nil
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
