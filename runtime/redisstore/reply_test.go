package redisstore

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// FuzzReply has any bytes for a reply, as a proxy or a server that is none may send.
func FuzzReply(f *testing.F) {
	fixed, leaky := rule("fixed", ratelimit.FixedWindow, 5, time.Hour), rule("leaky", ratelimit.LeakyBucket, 5, time.Hour)
	rules := []*ratelimit.Rule{fixed, leaky, rule("counter", ratelimit.SlidingCounter, 5, time.Hour), daily("daily", 5)}
	for _, numbers := range [][]float64{
		{1, 2, 1, 0, 1, 1, 1, 1},
		{1, 2, -1, 0, 0, 0},
		{1, 2, 1 << 62, 0, 0, 0, 0, 0, 0},
		{math.NaN(), math.Inf(1), math.Inf(-1), 0, 0, 0},
		{1, math.MaxFloat64, 1 << 61, 0, 0, 0, 0, 0, 0},
	} {
		for buckets := range byte(4) {
			f.Add(packed(numbers...), buckets, 0)
			f.Add(packed(numbers...), buckets, alone)
		}
	}
	f.Fuzz(func(t *testing.T, bytes []byte, buckets byte, turn int) {
		b := ratelimit.NewBatch()
		defer b.Release()
		b.Op, b.Partial = ratelimit.Op(buckets>>2%4), buckets>>4%2 == 1
		c := &call{reply: reply(bytes), turn: max(turn%mostAlike, alone)}
		for i := range int(buckets%4) + 1 {
			b.Items = append(b.Items, item(rules[(i+int(buckets>>5))%len(rules)], "k"))
			c.order = append(c.order, i)
		}
		_, _ = c.unpack(b)
		p := &party{calls: []*call{{}, {}, {gone: true}}, times: 1}
		p.gone = p.calls[2:]
		p.deal(c.reply)
	})
}

// packed is a reply of these doubles.
func packed(numbers ...float64) (r []byte) {
	for _, n := range numbers {
		r = binary.LittleEndian.AppendUint64(r, math.Float64bits(n))
	}
	return r
}
