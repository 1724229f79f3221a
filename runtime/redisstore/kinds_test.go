package redisstore

import (
	"fmt"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
)

// TestEveryCombinationOfKinds has a server run each script for up to four buckets,
// for one call and for calls that are alike: it has limits for what a script names.
func TestEveryCombinationOfKinds(t *testing.T) {
	client := redistest.Start(t).Client(t)
	for clock, opts := range map[string][]Option{"server": nil, "given": {WithClock(func() time.Time { return time.Unix(1_790_000_000, 0) })}} {
		s := open(t, client, opts...)
		n := 0
		combine(nil, func(items []ratelimit.Item) {
			n++
			for i := range items {
				items[i].Key = fmt.Sprint(n)
			}
			must(t, s, items...)
			b := []*ratelimit.Batch{batch(time.Minute, items...), batch(time.Minute, items...), batch(time.Minute, items...)}
			flyAll(t, s, b...)
			if !b[0].Allowed || !b[1].Allowed || b[2].Allowed {
				t.Errorf("%s, %d buckets: passed %v, %v, %v", clock, len(items), b[0].Allowed, b[1].Allowed, b[2].Allowed)
			}
		})
		if n != 6+21+56+126 {
			t.Errorf("%d combinations", n)
		}
	}
}

// combine calls do with each combination of items that begins with those before.
func combine(before []ratelimit.Item, do func([]ratelimit.Item)) {
	if len(before) == lua.MaxStraight {
		return
	}
	first := lua.Kind(0)
	if n := len(before); n > 0 {
		first = lua.KindOf(spec(before[n-1].Rule))
	}
	for k := first; k <= lua.Calendar; k++ {
		name := fmt.Sprint("r", len(before), k)
		r := daily(name, 3)
		if k != lua.Calendar {
			r = rule(name, ratelimit.Algorithm(k), 3, 1000*time.Hour)
		}
		items := append(before[:len(before):len(before)], item(r, ""))
		do(items)
		combine(items, do)
	}
}
