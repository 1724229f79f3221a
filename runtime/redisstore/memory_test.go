package redisstore

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestMemory measures what a bucket costs, with a key of 20 bytes.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		algorithm ratelimit.Algorithm
		calls     int64
		most      int64 // bytes
	}{
		{ratelimit.FixedWindow, 1000, 104},
		{ratelimit.SlidingWindow, 1000, 11 * 1000},
		{ratelimit.SlidingWindow, 20, 20 * 20},
		{ratelimit.SlidingCounter, 1000, 104},
		{ratelimit.TokenBucket, 1000, 120},
		{ratelimit.LeakyBucket, 1000, 120},
	} {
		_, client, s := standalone(t, WithPrefix(""))
		it := item(rule("entry", c.algorithm, 5000, 24*time.Hour), "1234567890")
		for range c.calls {
			must(t, s, it)
		}
		used, err := client.MemoryUsage(t.Context(), s.key(&it), 0).Result()
		if err != nil || len(s.key(&it)) != 20 {
			t.Fatal(s.key(&it), err)
		}
		t.Logf("%v after %d calls: %d bytes", c.algorithm, c.calls, used)
		if used > c.most {
			t.Errorf("%v after %d calls: %d bytes, want %d at most", c.algorithm, c.calls, used, c.most)
		}
	}
}
