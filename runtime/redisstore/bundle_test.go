package redisstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
	"github.com/redis/go-redis/v9"
)

// flights is how many are compared with their definition, of each rule.
func flights() int {
	if os.Getenv("RATELIMIT_TEST_FULL") == "1" {
		return 4000
	}
	return 400
}

// TestAlikeCallsAgreeWithTheirDefinition sends random calls, of which many are
// alike, in one flight each, and compares all answers with those that the
// definition gives when it is asked for one after the other.
func TestAlikeCallsAgreeWithTheirDefinition(t *testing.T) {
	fmt.Printf("alike calls: %d flights of each rule; 4,000 with RATELIMIT_TEST_FULL=1\n", flights())
	client := redistest.Start(t).Client(t)
	kinds := []*ratelimit.Rule{daily("calendar", 12)}
	for _, a := range algorithms {
		kinds = append(kinds, rule(a.String(), a, 12, 1000*time.Millisecond), rule("long-"+a.String(), a, 1<<40, 300*24*time.Hour))
	}
	for i, r := range kinds {
		t.Run(r.Name, func(t *testing.T) {
			const start, end = 1_790_000_000_000_000, 8_000_000_000_000_000
			clock := storetest.NewClock(start)
			s := open(t, client, WithPrefix(r.Name+":"), WithClock(clock.Now))
			defined := storetest.NewOracle(clock.Now)
			random := rand.New(rand.NewPCG(1, uint64(i)))
			fly(t, s, append(same(2, item(r, "else")), costing(item(r, "else"), 2))) // has the scripts there: what lacks one goes last
			for n := range flights() {
				together := flightOf(random, r)
				for at, got := range fly(t, s, together) {
					want := batch(time.Hour, together[at])
					if err := defined.Do(t.Context(), want); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(verdictOf(want), verdictOf(got)); diff != "" {
						t.Fatalf("flight %d, call %d of %d, %+v (- definition, + store):\n%s", n, at, len(together), together[at], diff)
					}
				}
				clock.Add(step(random, r))
				if clock.Micros() > end {
					clock.Set(start)
				}
			}
		})
	}
}

type verdict struct {
	Time    int64
	Allowed bool
	Items   []ratelimit.Result
}

func verdictOf(b *ratelimit.Batch) verdict {
	a := verdict{Time: b.Time, Allowed: b.Allowed}
	for _, it := range b.Items {
		if r := it.Rule; !b.Allowed || !it.Allowed || r.Algorithm == ratelimit.TokenBucket || r.Calendar != 0 {
			it.Receipt = 0 // has no meaning, or one for each store
		}
		a.Items = append(a.Items, it.Result)
	}
	return a
}

// flightOf returns groups of calls that are alike, each in one piece: a flight
// decides about a group when the turn of its first call comes.
func flightOf(random *rand.Rand, r *ratelimit.Rule) (all []ratelimit.Item) {
	type kind struct {
		key         string
		cost, limit int64
		patient     bool
	}
	seen := map[kind]bool{}
	for range 1 + random.IntN(5) {
		it := item(r, fmt.Sprint(random.IntN(2)))
		it.Cost = []int64{1, 1, 1, 2, 5, r.Limit, r.Limit + 1, ratelimit.MaxCost}[random.IntN(8)]
		it.Limit -= int64(random.IntN(2) * random.IntN(5))
		it.Shadow = random.IntN(8) == 0
		if it.Rule.Algorithm == ratelimit.LeakyBucket && random.IntN(4) == 0 {
			it.MaxDelay = 300 * time.Millisecond
		}
		k := kind{it.Key, min(it.Cost, it.Limit+1), it.Limit, it.MaxDelay == 0}
		if !seen[k] {
			seen[k] = true
			all = append(all, same(1+random.IntN(8), it)...)
		}
	}
	return all
}

// step moves the clock within a window and beyond it, and back at times.
func step(random *rand.Rand, r *ratelimit.Rule) time.Duration {
	window := r.Window
	if r.Calendar != 0 {
		window = 24 * time.Hour
	}
	switch random.IntN(12) {
	case 0:
		return 0
	case 1:
		return -time.Duration(random.Int64N(int64(window)))
	case 2:
		return time.Duration(random.Int64N(3 * int64(window)))
	}
	return time.Duration(random.Int64N(int64(window)/4 + 1))
}

// fly has calls decided in one flight.
func fly(t *testing.T, s *Store, items []ratelimit.Item) (all []*ratelimit.Batch) {
	t.Helper()
	for _, it := range items {
		all = append(all, batch(time.Minute, it))
	}
	flyAll(t, s, all...)
	return all
}

func flyAll(t *testing.T, s *Store, batches ...*ratelimit.Batch) {
	t.Helper()
	for i, c := range queuedAll(s, time.Minute, batches...) {
		if err := await(t.Context(), c); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		if done, err := c.unpack(batches[i]); !done || err != nil {
			t.Fatalf("call %d: %v, %v", i, done, err)
		}
		c.free()
	}
}

// TestAlikeCallsAreOneCommand draws a limit with alike calls from everywhere.
func TestAlikeCallsAreOneCommand(t *testing.T) {
	for _, a := range algorithms {
		t.Run(a.String(), func(t *testing.T) {
			server, _, s := standalone(t)
			r := rule("hot", a, 500, time.Hour)
			must(t, s, item(r, "other"))
			server.ResetStats(t)
			var left [500]int
			var mu sync.Mutex
			var group sync.WaitGroup
			for range 100 {
				group.Go(func() {
					for range 10 {
						if b := must(t, s, item(r, "hot")); b.Allowed {
							mu.Lock()
							left[b.Items[0].Remaining]++
							mu.Unlock()
						}
					}
				})
			}
			group.Wait()
			if i := slices.IndexFunc(left[:], func(n int) bool { return n != 1 }); i >= 0 {
				t.Errorf("%d calls have left %d, want 1 each", left[i], i)
			}
			if n := server.Stats(t)["evalsha"].Calls; n > 500 {
				t.Errorf("%d commands for 1000 calls", n)
			}
		})
	}
}

// TestAFaultIsThatOfAlikeCallsOnly has calls of two buckets in a flight, of which
// one is not what it should be.
func TestAFaultIsThatOfAlikeCallsOnly(t *testing.T) {
	_, client, s := standalone(t)
	bad, good := item(five, "bad"), item(five, "good")
	client.SAdd(t.Context(), s.key(&bad), "x")
	for i, wait := range together(s, time.Minute, bad, good, bad, good) {
		if err := wait(t.Context()); (err == nil) != (i%2 == 1) {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// TestWhatOneCommandMayCharge has alike calls of a cost of which few fit.
func TestWhatOneCommandMayCharge(t *testing.T) {
	server, _, s := standalone(t)
	r, cheap := rule("dear", ratelimit.SlidingWindow, 100_000, time.Hour), rule("cheap", ratelimit.TokenBucket, 100, time.Hour)
	for key, items := range map[string][]ratelimit.Item{"k": nil, "several": {item(cheap, "several")}} {
		b := func() *ratelimit.Batch { return batch(time.Minute, append(items, costing(item(r, key), 4000))...) }
		must(t, s, append(items, item(r, "other"))...)
		server.ResetStats(t)
		flyAll(t, s, b(), b(), b(), b(), b())
		if n := server.Stats(t)["evalsha"].Calls + server.Stats(t)["eval"].Calls; n < 3 {
			t.Errorf("%s: %d commands charged 20,000", key, n)
		}
		if left := must(t, s, item(r, key)).Items[0].Remaining; left != 79_999 {
			t.Errorf("%s: %d are left", key, left)
		}
	}
}

// TestHowManyCallsOneCommandIsFor has more of them than one is for.
func TestHowManyCallsOneCommandIsFor(t *testing.T) {
	server, _, s := standalone(t, WithBatching(4*mostAlike))
	var items []ratelimit.Item
	for i := range 4 {
		items = append(items, item(rule(fmt.Sprint("r", i), ratelimit.TokenBucket, 1<<40, time.Hour), "k"))
	}
	must(t, s, items...)
	for buckets, commands := range map[int]int64{1: 2, 4: 5} {
		var all []*ratelimit.Batch
		for range mostAlike + 1 {
			all = append(all, batch(time.Minute, items[:buckets]...))
		}
		flyAll(t, s, all[:2]...) // has the script there
		server.ResetStats(t)
		flyAll(t, s, all...)
		if n := server.Stats(t)["evalsha"].Calls; n != commands {
			t.Errorf("%d commands for %d calls of %d buckets, want %d", n, len(all), buckets, commands)
		}
	}
}

// TestCallersLeaveAroundTheirCommand has one caller of several who are alike leave
// before the command is written, and one after, while a hook reads the command
// again and again. The others get what they were charged.
func TestCallersLeaveAroundTheirCommand(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client(t)
	s := open(t, client)
	r := rule("r", ratelimit.TokenBucket, 10, 1000*time.Hour)
	for _, wait := range together(s, time.Minute, same(2, item(r, "other"))...) { // has the script there
		if err := wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var waits []func(context.Context) error
	over, cancel := context.WithCancel(t.Context())
	cancel()
	leave := func(i int) {
		if err := waits[i](over); err != context.Canceled {
			t.Errorf("call %d: %v", i, err)
		}
	}
	ready := make(chan struct{})
	client.AddHook(around(func(ctx context.Context, cmd redis.Cmder, send redis.ProcessHook) error {
		<-ready
		if len(cmd.Args()) < 4 {
			t.Errorf("its arguments are %v", cmd.Args())
		}
		leave(1)
		defer cmd.Args()
		defer leave(3)
		return send(ctx, cmd)
	}))
	calls := queued(s, time.Minute, same(5, item(r, "k"))...)
	for _, c := range calls {
		waits = append(waits, func(ctx context.Context) error { return await(ctx, c) })
	}
	close(ready)
	for at, i := range []int{0, 2, 4} {
		if err := waits[i](t.Context()); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		b := batch(time.Minute, item(r, "k"))
		if done, err := calls[i].unpack(b); !done || err != nil {
			t.Fatalf("call %d: %v, %v", i, done, err)
		}
		if want := []int64{9, 8, 6}[at]; b.Items[0].Remaining != want {
			t.Errorf("call %d has left %d, want %d", i, b.Items[0].Remaining, want)
		}
	}
}

// TestCallsOfABucketKeepTheirOrder has a call between two alike ones that draws from
// their bucket and is not like them.
func TestCallsOfABucketKeepTheirOrder(t *testing.T) {
	_, _, s := standalone(t)
	r, other := rule("r", ratelimit.LeakyBucket, 2, 1000*time.Hour), rule("other", ratelimit.LeakyBucket, 9, 1000*time.Hour)
	for name, between := range map[string]func(key string) *ratelimit.Batch{
		"of two rules": func(key string) *ratelimit.Batch { return batch(time.Minute, item(other, key), item(r, key)) },
		"patient": func(key string) *ratelimit.Batch {
			patient := item(r, key)
			patient.MaxDelay = 5000 * time.Hour
			return batch(time.Minute, patient)
		},
	} {
		t.Run(name, func(t *testing.T) {
			fly(t, s, same(2, item(r, name)))
			flyAll(t, s, between(name)) // has the scripts there
			b := []*ratelimit.Batch{batch(time.Minute, item(r, "k"+name)), between("k" + name), batch(time.Minute, item(r, "k"+name))}
			flyAll(t, s, b...)
			if !b[0].Allowed || !b[1].Allowed || b[2].Allowed {
				t.Errorf("passed: %v, %v, %v", b[0].Allowed, b[1].Allowed, b[2].Allowed)
			}
		})
	}
}
