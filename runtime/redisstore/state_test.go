package redisstore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
	"github.com/redis/go-redis/v9"
)

// TestAlikeCallsLeaveTheSameState has calls decided together and one by one, and
// compares the keys that they leave, with their expiries.
func TestAlikeCallsLeaveTheSameState(t *testing.T) {
	client := redistest.Start(t).Client(t)
	clock := storetest.NewClock(1_790_000_000_000_000)
	together := still(open(t, client, WithPrefix("together:"), WithClock(clock.Now)))
	single := still(open(t, client, WithPrefix("single:"), WithClock(clock.Now), WithBatching(1)))
	single.now = together.now
	all := []*ratelimit.Rule{daily("calendar", 12)}
	for _, a := range algorithms {
		all = append(all, rule(a.String(), a, 12, time.Second), rule("twin-"+a.String(), a, 9, 1500*time.Millisecond))
	}
	random := rand.New(rand.NewPCG(4, 5))
	known := map[*lua.Script]bool{}
	for n := range flights() {
		calls := severalOf(random, all)
		for _, b := range calls {
			one := batch(time.Minute, b.Items...)
			if err := single.Do(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			teach(t, together, client, b, known)
		}
		flyAll(t, together, calls...)
		if n%10 == 9 {
			if diff := cmp.Diff(stateOf(t, client, "single:"), stateOf(t, client, "together:")); diff != "" {
				t.Fatalf("flight %d (- one by one, + together):\n%s", n, diff)
			}
		}
		clock.Add(step(random, all[1]))
	}
}

// stateOf is what the keys with the prefix hold and when they expire.
func stateOf(t *testing.T, client *redis.Client, prefix string) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, key := range client.Keys(t.Context(), prefix+"*").Val() {
		pipe := client.Pipeline()
		value, list, expiry := pipe.Get(t.Context(), key), pipe.LRange(t.Context(), key, 0, -1), pipe.PExpireTime(t.Context(), key)
		_, _ = pipe.Exec(t.Context()) // one of two is of the wrong type
		state[strings.TrimPrefix(key, prefix)] = fmt.Sprintf("%q %v %v", value.Val(), list.Val(), expiry.Val().Milliseconds())
	}
	return state
}
