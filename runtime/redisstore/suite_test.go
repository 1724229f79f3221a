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
		TTL: life,
	}.Run(t)
}

// life is how long the state of it would be kept under the real clock: what
// its expiry is beyond the full hour that follows an hour from now.
func life(t testing.TB, store ratelimit.Store, it *ratelimit.Item) (time.Duration, bool) {
	s := store.(*Store)
	before := time.Now()
	at, err := s.client.Do(context.Background(), "PEXPIRETIME", s.key(it)).Int64()
	if err != nil {
		t.Fatal(err)
	}
	if at == -2 {
		return 0, false
	}
	life := time.UnixMilli(at).Sub(before.Truncate(time.Hour).Add(2 * time.Hour))
	if life < 0 {
		t.Fatalf("%s expires %v before the full hour", s.key(it), -life)
	}
	return life, true
}
