package redisstore

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestTimeFarAheadOfTheServer takes states that a clock has written which has
// stepped back since: they block for a window at most, and don't stay.
func TestTimeFarAheadOfTheServer(t *testing.T) {
	const window = time.Hour
	_, client, s := standalone(t)
	ahead := open(t, client, WithClock(func() time.Time { return time.Now().Add(10 * window) }))
	for _, a := range algorithms {
		it := item(rule(a.String(), a, 2, window), "k")
		must(t, ahead, it)
		must(t, ahead, it)
		client.Rename(t.Context(), ahead.key(&it), s.key(&it))
		b := must(t, s, it)
		found := b.Items[0]
		// The counter's calls weigh too much until half of the next window is over.
		most := window
		if a == ratelimit.SlidingCounter {
			most += window / 2
		}
		if found.Allowed || found.RetryAfter > most || found.ResetAfter > 2*window {
			t.Errorf("%v: %+v", a, found.Result)
		}
		ttl := client.PTTL(t.Context(), s.key(&it)).Val()
		if ttl <= 0 || ttl > found.ResetAfter+time.Second {
			t.Errorf("%v: it is worthless after %v, the TTL is %v", a, found.ResetAfter, ttl)
		}
		if again := must(t, s, it); again.Items[0].ResetAfter >= found.ResetAfter {
			t.Errorf("%v: the repair was not kept: %v, then %v", a, found.ResetAfter, again.Items[0].ResetAfter)
		}
	}
}
