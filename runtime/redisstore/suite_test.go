package redisstore

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// TestSuite compares the store's decisions with their definition.
func TestSuite(t *testing.T) {
	client := redistest.Start(t).Client(t)
	var stores atomic.Int64
	seen := written{}
	storetest.Suite{
		Open: func(t testing.TB, clock func() time.Time) ratelimit.Store {
			return still(open(t, client, WithPrefix(fmt.Sprintf("suite%d:", stores.Add(1))), WithClock(clock)))
		},
		TTL: seen.left, Operations: true,
	}.Run(t)
}

// written knows when the expiry of a state was set that keeps it for as long
// as its window is open, by key.
type written map[string]writing

type writing struct {
	expiry, window int64
	refunded       int64 // more, if some was
	at             time.Time
}

// left is how long the state of it would be kept from now under the real clock.
func (w written) left(t testing.TB, store ratelimit.Store, it *ratelimit.Item) (time.Duration, bool) {
	s := store.(*Store)
	key, now := s.key(it), s.clock()
	expiry, life := life(t, s, key)
	if expiry < 0 {
		return 0, false
	}
	switch it.Rule.Algorithm {
	case ratelimit.FixedWindow, ratelimit.SlidingCounter:
	default:
		return life, true
	}
	state, err := s.client.Get(context.Background(), key).Result()
	if err != nil {
		t.Fatal(err)
	}
	last := writing{expiry: expiry, window: reply(state).at(0), at: now}
	if it.Rule.Algorithm == ratelimit.SlidingCounter {
		// A refund writes all anew, even where it expires when it did.
		last.refunded = -reply(state).at(1) - reply(state).at(2)
	}
	if before, ok := w[key]; ok && before.expiry == last.expiry && before.window == last.window && before.refunded >= last.refunded {
		last.at = before.at
	}
	w[key] = last
	return life - now.Sub(last.at), true
}

// life is how long a state was to be kept when its expiry was set: what the
// expiry is beyond the full hour that follows an hour from then.
func life(t testing.TB, s *Store, key string) (expiry int64, life time.Duration) {
	base := s.now().Truncate(time.Hour).Add(2 * time.Hour)
	expiry, err := s.client.Do(context.Background(), "PEXPIRETIME", key).Int64()
	if err != nil {
		t.Fatal(err)
	}
	life = time.UnixMilli(expiry).Sub(base)
	if expiry >= 0 && life < 0 {
		t.Fatalf("%s expires %v before the full hour", key, -life)
	}
	return expiry, life
}
