package redisstore

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/lua"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
	"github.com/redis/go-redis/v9"
)

// TestAlikeCallsOfSeveralRules sends random calls of up to four rules, of which many
// are alike, in one flight each, and compares all answers with those that the
// definition gives when it is asked for one after the other.
func TestAlikeCallsOfSeveralRules(t *testing.T) {
	const start, rounds = 1_790_000_000_000_000, 10
	fmt.Printf("alike calls of several rules: %d flights; 40,000 with RATELIMIT_TEST_FULL=1\n", rounds*flights())
	server := redistest.Start(t)
	client := server.Client(t)
	clock := storetest.NewClock(start)
	s := open(t, client, WithClock(clock.Now))
	defined := storetest.NewOracle(clock.Now)
	all := []*ratelimit.Rule{daily("calendar", 12)}
	for _, a := range algorithms {
		all = append(all, rule(a.String(), a, 12, time.Second), rule("twin-"+a.String(), a, 9, 1500*time.Millisecond))
	}
	random := rand.New(rand.NewPCG(2, 3))
	known, calls := map[*lua.Script]bool{}, int64(0)
	for n := range rounds * flights() {
		want, got := severalOf(random, all), []*ratelimit.Batch{}
		for _, b := range want {
			if err := defined.Do(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			got = append(got, batch(time.Minute, unasked(b.Items)...))
			teach(t, s, client, got[len(got)-1], known)
		}
		calls += int64(len(got))
		flyAll(t, s, got...)
		for i := range got {
			if diff := cmp.Diff(verdictOf(want[i]), verdictOf(got[i])); diff != "" {
				t.Fatalf("flight %d, call %d of %d, %+v (- definition, + store):\n%s", n, i, len(got), want[i].Items, diff)
			}
			want[i].Release()
			got[i].Release()
		}
		clock.Add(step(random, all[1]))
		if clock.Micros() > start+int64(time.Hour/time.Microsecond) {
			clock.Set(start)
		}
	}
	if n := server.Stats(t)["evalsha"].Calls; n > calls*2/3 {
		t.Errorf("%d commands for %d calls", n, calls)
	}
}

// severalOf returns groups of calls that are alike, each in one piece.
func severalOf(random *rand.Rand, rules []*ratelimit.Rule) (all []*ratelimit.Batch) {
	for range 1 + random.IntN(4) {
		var items []ratelimit.Item
		for _, r := range random.Perm(len(rules))[:1+random.IntN(lua.MaxStraight)] {
			it := item(rules[r], fmt.Sprint(random.IntN(2)))
			it.Cost = []int64{1, 1, 1, 2, 3, it.Limit + 1}[random.IntN(6)]
			it.Shadow = random.IntN(20) == 0
			if it.Rule.Algorithm == ratelimit.LeakyBucket && random.IntN(4) == 0 {
				it.MaxDelay = 300 * time.Millisecond
			}
			items = append(items, it)
		}
		for range 1 + random.IntN(6) {
			all = append(all, batch(time.Minute, items...))
		}
	}
	return all
}

// unasked are items as they were before they were decided.
func unasked(items []ratelimit.Item) (all []ratelimit.Item) {
	for _, it := range items {
		it.Result = ratelimit.Result{}
		all = append(all, it)
	}
	return all
}

// teach has the server know the scripts for b: a call whose script it lacks goes
// last.
func teach(t *testing.T, s *Store, client *redis.Client, b *ratelimit.Batch, known map[*lua.Script]bool) {
	t.Helper()
	c := s.pack(b, s.moment())
	defer c.free()
	for _, script := range []*lua.Script{c.script, c.repeat.script} {
		if script != nil && !known[script] {
			known[script] = true
			if err := client.ScriptLoad(t.Context(), script.Text).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAlikeCallsOfSeveralRulesAreOneCommand has callers compete for the quota of
// three rules, of which one is the tightest.
func TestAlikeCallsOfSeveralRulesAreOneCommand(t *testing.T) {
	server, _, s := standalone(t)
	items := []ratelimit.Item{
		item(rule("second", ratelimit.SlidingWindow, 400, time.Hour), "partner"),
		item(rule("day", ratelimit.TokenBucket, 500, 1000*time.Hour), "partner"),
		item(daily("calendar", 600), "partner"),
	}
	must(t, s, items...)
	server.ResetStats(t)
	passed, left := 1, map[int64]int{}
	var mu sync.Mutex
	var group sync.WaitGroup
	for range 100 {
		group.Go(func() {
			for range 10 {
				b := must(t, s, items...)
				mu.Lock()
				if b.Allowed {
					passed++
					left[b.Items[1].Remaining]++
				} else if !b.Items[1].Allowed || b.Items[1].Remaining != 100 {
					t.Errorf("refused with %+v", b.Items[1].Result)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	if passed != 400 || len(left) != 399 {
		t.Errorf("%d have passed and have left %d numbers, want 400 and 399", passed, len(left))
	}
	if n := server.Stats(t)["evalsha"].Calls; n > 500 {
		t.Errorf("%d commands for 1000 calls", n)
	}
}
