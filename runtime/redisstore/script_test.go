package redisstore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

func items(n int) []ratelimit.Item {
	var all []ratelimit.Item
	for i := range n {
		a := algorithms[i%len(algorithms)]
		all = append(all, item(rule(fmt.Sprintf("r%d", i), a, 3, time.Minute), "k"))
	}
	return all
}

// fromClients are the calls of commands that no script of ours makes.
func fromClients(stats redistest.Stats) map[string]int64 {
	calls := map[string]int64{}
	inScripts := " time get set setrange pttl llen lindex ltrim lpop rpush pexpire pexpireat "
	for command, stat := range stats {
		if !strings.Contains(inScripts, " "+command+" ") {
			calls[command] += stat.Calls
		}
	}
	return calls
}

func TestOneCommandPerDecision(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(n, " rules"), func(t *testing.T) {
			server, _, s := standalone(t)
			must(t, s, items(n)...) // connects and loads the script
			reader := server.Client(t)
			redistest.ReadStats(t, reader) // connects
			reader.ConfigResetStat(t.Context())
			for range 5 {
				must(t, s, items(n)...)
			}
			calls := fromClients(redistest.ReadStats(t, reader))
			delete(calls, "info")
			delete(calls, "config|resetstat")
			if len(calls) != 1 || calls["evalsha"] != 5 {
				t.Errorf("5 decisions sent %v", calls)
			}
		})
	}
}

func TestNothingIsSentAtConstruction(t *testing.T) {
	server := redistest.Start(t)
	proxy := redistest.NewProxy(t, server.Addr())
	open(t, clientOf(t, proxy.Addr()))
	time.Sleep(20 * time.Millisecond)
	if n := proxy.Accepted(); n != 0 {
		t.Errorf("New made %d connections", n)
	}
}

// TestScriptFlushLosesNoCall flushes the server's scripts under load.
func TestScriptFlushLosesNoCall(t *testing.T) {
	const callers, calls, limit = 20, 100, 500
	for i, a := range algorithms {
		t.Run(a.String(), func(t *testing.T) {
			_, client, s := standalone(t, WithBatching(batchings[i%2]))
			it := item(rule("flush", a, limit, 1000*time.Hour), "k")
			stop := make(chan struct{})
			var flushes sync.WaitGroup
			flushes.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						client.ScriptFlush(t.Context())
					}
				}
			})
			var passed atomic.Int64
			var group sync.WaitGroup
			for range callers {
				group.Go(func() {
					for range calls {
						b, err := try(s, it)
						if err != nil {
							t.Error(err)
						} else if b.Allowed {
							passed.Add(1)
						}
					}
				})
			}
			group.Wait()
			close(stop)
			flushes.Wait()
			if passed.Load() != limit {
				t.Errorf("%d calls passed, want %d", passed.Load(), limit)
			}
		})
	}
}

// TestRefusalWritesNothing compares the stored bytes and the expiry.
func TestRefusalWritesNothing(t *testing.T) {
	for _, a := range algorithms {
		_, client, s := standalone(t)
		full, roomy := item(rule("full", a, 2, time.Hour), "k"), item(rule("roomy", a, 5, time.Hour), "k")
		must(t, s, full, roomy)
		must(t, s, full)
		snapshot := func() string {
			var text strings.Builder
			for _, key := range client.Keys(t.Context(), "*").Val() {
				fmt.Fprintf(&text, "%s %x %v\n", key, client.Dump(t.Context(), key).Val(),
					client.Do(t.Context(), "PEXPIRETIME", key).Val())
			}
			return text.String()
		}
		before := snapshot()
		for _, refused := range [][]ratelimit.Item{
			{full}, {costing(full, 2)}, {costing(full, 3)}, {costing(roomy, 5)}, {costing(roomy, 6)},
			{roomy, full}, {full, roomy}, {item(rule("new", a, 1, time.Hour), "k"), full},
			{costing(item(rule("new", a, 1, time.Hour), "k"), 2)},
		} {
			if b := must(t, s, refused...); b.Allowed {
				t.Fatalf("%v: %+v passed", a, refused)
			}
			if after := snapshot(); after != before {
				t.Errorf("%v: a refusal of %d items has changed\n%s to\n%s", a, len(refused), before, after)
			}
		}
	}
}

// TestTTL acquires and refunds at random on the server's own clock.
func TestTTL(t *testing.T) {
	_, client, s := standalone(t)
	g := rand.New(rand.NewPCG(1, 2))
	rules := []*ratelimit.Rule{daily("day", 100), {Name: "minute", Limit: 7, Calendar: ratelimit.Minute}}
	for i, w := range []time.Duration{time.Millisecond, 3 * time.Millisecond, 1001 * time.Microsecond, 40 * time.Millisecond, time.Hour} {
		for _, a := range algorithms {
			rules = append(rules, rule(fmt.Sprint("ttl", i), a, 1+g.Int64N(5), w))
		}
	}
	charged := map[*ratelimit.Rule]ratelimit.Item{}
	for range 4000 {
		it := item(rules[g.IntN(len(rules))], "k")
		it.Cost = 1 + g.Int64N(it.Limit)
		b := batch(10*time.Second, it)
		if before, ok := charged[it.Rule]; ok && g.IntN(3) == 0 {
			b.Op, b.Items[0] = ratelimit.OpRefund, before
		}
		if err := s.Do(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if found := b.Items[0]; b.Op == ratelimit.OpAcquire && found.Allowed {
			charged[it.Rule] = found
		}
		checkTTL(t, client, s, b)
	}
}

func checkTTL(t *testing.T, client *redis.Client, s *Store, b *ratelimit.Batch) {
	t.Helper()
	it := &b.Items[0]
	ttl := client.PTTL(t.Context(), s.key(it)).Val()
	spent := time.Since(time.UnixMicro(b.Time))
	missing := ttl == -2
	switch {
	case missing && it.ResetAfter <= spent:
	case !missing && 0 < ttl && it.ResetAfter <= ttl+spent && ttl <= it.ResetAfter+time.Second:
	default:
		t.Fatalf("%v %v: the state is worthless after %v, the TTL was %v %v later", it.Rule.Algorithm, it.Rule.Window, it.ResetAfter, ttl, spent)
	}
}

func TestMissingTTLIsRepaired(t *testing.T) {
	_, client, s := standalone(t)
	rules := []*ratelimit.Rule{daily("day", 1000)}
	for _, a := range algorithms {
		rules = append(rules, rule(a.String(), a, 1000, time.Hour))
	}
	for _, r := range rules {
		for calls := range 40 {
			it := item(r, "k")
			b := must(t, s, it)
			before := client.PTTL(t.Context(), s.key(&it)).Val()
			if calls < 8 && before <= 0 || before > b.Items[0].ResetAfter+time.Second {
				t.Fatalf("%s: after %d calls the TTL is %v", r.Name, calls+1, before)
			}
			client.Persist(t.Context(), s.key(&it))
		}
		it := costing(item(r, "k"), 16)
		must(t, s, it)
		if client.PTTL(t.Context(), s.key(&it)).Val() <= 0 {
			t.Errorf("%s: sixteen more units have not found that there is no TTL", r.Name)
		}
	}
}

// TestForeignKey asks for a bucket whose key holds something else.
func TestForeignKey(t *testing.T) {
	_, client, s := standalone(t)
	for _, a := range algorithms {
		good, bad := item(rule("good", a, 2, time.Minute), "k"), item(rule("bad", a, 2, time.Minute), "k")
		client.HSet(t.Context(), s.key(&bad), "a", "b")
		for range 3 {
			for _, asked := range [][]ratelimit.Item{{bad}, {good, bad}, {bad, good}} {
				if _, err := try(s, asked...); err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
					t.Errorf("%v: got %v", a, err)
				}
			}
		}
		if b := must(t, s, good); b.Items[0].Remaining != 1 {
			t.Errorf("%v: calls that failed were charged: %+v", a, b.Items[0].Result)
		}
	}
}
