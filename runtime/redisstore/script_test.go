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
	for _, a := range algorithms {
		t.Run(a.String(), func(t *testing.T) {
			_, client, s := standalone(t)
			it := item(rule("flush", a, limit, time.Hour), "k")
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

// TestTTL asks at random on the server's own clock.
func TestTTL(t *testing.T) {
	_, client, s := standalone(t)
	g := rand.New(rand.NewPCG(1, 2))
	windows := []time.Duration{time.Millisecond, 3 * time.Millisecond, 1001 * time.Microsecond, 40 * time.Millisecond, time.Hour}
	var rules []*ratelimit.Rule
	for i, w := range windows {
		for _, a := range algorithms {
			rules = append(rules, rule(fmt.Sprint("ttl", i), a, 1+g.Int64N(5), w))
		}
	}
	for range 3000 {
		it := item(rules[g.IntN(len(rules))], "k")
		it.Cost = 1 + g.Int64N(it.Limit)
		b := must(t, s, it)
		ttl, after := client.PTTL(t.Context(), s.key(&it)).Val(), time.Now()
		reset := b.Items[0].ResetAfter
		spent := after.Sub(time.UnixMicro(b.Time))
		if ttl == -2 && reset > spent || ttl == -1 || ttl > reset+time.Second || ttl != -2 && ttl+spent < reset {
			t.Fatalf("%v %v: the state is worthless after %v, the TTL was %v %v later", it.Rule.Algorithm, it.Rule.Window, reset, ttl, spent)
		}
	}
}

func TestMissingTTLIsRepaired(t *testing.T) {
	for _, a := range algorithms {
		_, client, s := standalone(t)
		it := item(rule("r", a, 3, time.Minute), "k")
		must(t, s, it)
		if !client.Persist(t.Context(), s.key(&it)).Val() {
			t.Fatalf("%v: there was no TTL", a)
		}
		must(t, s, it)
		if ttl := client.PTTL(t.Context(), s.key(&it)).Val(); ttl <= 0 || ttl > time.Minute+time.Second {
			t.Errorf("%v: the TTL is %v", a, ttl)
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

// TestMemory measures what an entry of a sliding window costs.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		entries int
		most    float64
	}{{1000, 11}, {20, 20}} {
		_, client, s := standalone(t, WithPrefix("")) // the key has 20 bytes
		it := item(rule("entry", ratelimit.SlidingWindow, 5000, 24*time.Hour), "1234567890")
		for range c.entries {
			must(t, s, it)
		}
		used, err := client.MemoryUsage(t.Context(), s.key(&it), 0).Result()
		if err != nil || len(s.key(&it)) != 20 {
			t.Fatal(s.key(&it), err)
		}
		each := float64(used) / float64(c.entries)
		t.Logf("%d entries: %d bytes, %.1f an entry", c.entries, used, each)
		if each > c.most {
			t.Errorf("%d entries cost %.1f bytes each, want %v at most", c.entries, each, c.most)
		}
	}
}
