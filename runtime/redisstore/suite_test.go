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
	storetest.Suite{
		Open: func(t testing.TB, clock func() time.Time) ratelimit.Store {
			return open(t, client, WithPrefix(fmt.Sprintf("suite%d:", stores.Add(1))), WithClock(clock))
		},
		TTL: kept,
	}.Run(t)
}

// kept is how long the state of it would be kept from now under the real
// clock. A fixed window's expiry is that of the call that opened it.
func kept(t testing.TB, store ratelimit.Store, it *ratelimit.Item) (time.Duration, bool) {
	s := store.(*Store)
	life, ok := life(t, s, it)
	if !ok || it.Rule.Algorithm != ratelimit.FixedWindow {
		return life, ok
	}
	if want := (it.Rule.Window + time.Millisecond - 1).Truncate(time.Millisecond); life != want {
		t.Fatalf("%s was to be kept for %v when it was opened, want %v", s.key(it), life, want)
	}
	state, err := s.client.Get(context.Background(), s.key(it)).Result()
	if err != nil {
		t.Fatal(err)
	}
	return life - s.clock().Sub(time.UnixMicro(reply(state).at(0))), true
}

// life is how long the state of it was to be kept when its expiry was set: what
// the expiry is beyond the full hour that follows an hour from now.
func life(t testing.TB, s *Store, it *ratelimit.Item) (time.Duration, bool) {
	base := time.Now().Truncate(time.Hour).Add(2 * time.Hour)
	at, err := s.client.Do(context.Background(), "PEXPIRETIME", s.key(it)).Int64()
	if err != nil {
		t.Fatal(err)
	}
	life := time.UnixMilli(at).Sub(base)
	if at != -2 && life < 0 {
		t.Fatalf("%s expires %v before the full hour", s.key(it), -life)
	}
	return life, at != -2
}
