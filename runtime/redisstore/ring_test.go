package redisstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

// ring is three servers that know nothing of each other.
type ring struct {
	servers [3]*redistest.Server
	proxies [3]*redistest.Proxy
	client  *redis.Ring
}

func startRing(t *testing.T) *ring {
	r := new(ring)
	addrs, through := map[string]string{}, map[string]string{}
	for i := range r.servers {
		r.servers[i] = redistest.Start(t)
		r.proxies[i] = redistest.NewProxy(t, r.servers[i].Addr())
		addrs[fmt.Sprint("shard", i)] = r.servers[i].Addr()
		through[r.servers[i].Addr()] = r.proxies[i].Addr()
	}
	r.client = redis.NewRing(&redis.RingOptions{
		Addrs: addrs, HeartbeatFrequency: 50 * time.Millisecond,
		Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, through[addr])
		},
	})
	t.Cleanup(func() { r.client.Close() })
	return r
}

// decisions is how many scripts each server has run.
func (r *ring) decisions(t *testing.T) (each [3]int64) {
	for i, server := range r.servers {
		stats := server.Stats(t)
		each[i] = stats["evalsha"].Calls
	}
	return each
}

// home is the server that runs the decision that decide makes.
func (r *ring) home(t *testing.T, decide func()) int {
	t.Helper()
	before := r.decisions(t)
	decide()
	after := r.decisions(t)
	at := -1
	for i := range after {
		switch after[i] - before[i] {
		case 0:
		case 1:
			if at >= 0 {
				t.Errorf("a decision ran on servers %d and %d", at, i)
			}
			at = i
		default:
			t.Errorf("a decision ran %d times on server %d", after[i]-before[i], i)
		}
	}
	if at < 0 {
		t.Fatal("a decision ran nowhere")
	}
	return at
}

func TestRing(t *testing.T) {
	t.Parallel()
	r := startRing(t)
	s := open(t, r.client)
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, sub := range []struct {
		name string
		test func(*testing.T, *ring, *Store)
	}{
		{"a rule spreads over the servers", ringSpreads},
		{"rules without a tag in common are refused", ringNeedsTag},
		{"rules with a tag are one command", ringOneCommand},
		{"exactly the limit passes", ringLimit},
		{"a lost answer is not asked again", ringLostAnswer},
		{"a server is gone", ringServerGone},
	} {
		t.Run(sub.name, func(t *testing.T) { sub.test(t, r, s) })
	}
}

func ringSpreads(t *testing.T, r *ring, s *Store) {
	spread := rule("spread", ratelimit.FixedWindow, 1, time.Hour)
	for i := range 150 {
		must(t, s, item(spread, fmt.Sprint("user:", i)))
	}
	for i, server := range r.servers {
		if n := server.Client(t).DBSize(t.Context()).Val(); n < 15 {
			t.Errorf("server %d has %d of 150 buckets", i, n)
		}
	}
}

func ringNeedsTag(t *testing.T, r *ring, s *Store) {
	before := r.decisions(t)
	for _, tags := range [][2]string{{"", ""}, {"a", ""}, {"a", "b"}} {
		one, two := item(five, "k"), item(five, "l")
		one.Tag, two.Tag = tags[0], tags[1]
		if _, err := try(s, one, two); !errors.Is(err, ratelimit.ErrRule) {
			t.Errorf("tags %q: %v", tags, err)
		}
	}
	if r.decisions(t) != before {
		t.Error("something was sent")
	}
}

func ringOneCommand(t *testing.T, r *ring, s *Store) {
	for _, tag := range []string{"a", "b", "c", "d}{e", strings.Repeat("long", 30)} {
		var some []ratelimit.Item
		homes := map[int]bool{}
		for i, a := range algorithms {
			it := item(rule(fmt.Sprint("one", i), a, 9, time.Minute), "k")
			it.Tag = tag
			some = append(some, it)
			must(t, s, some...) // loads the script
			homes[r.home(t, func() { must(t, s, some...) })] = true
		}
		if len(homes) != 1 {
			t.Errorf("tag %q has its buckets on %d servers", tag, len(homes))
		}
	}
}

func ringLimit(t *testing.T, _ *ring, s *Store) {
	var all []*wanted
	for _, tag := range []string{"a", "b", "c", "d"} {
		all = append(all, manyWanted(tag, 20)...)
	}
	end := load(t, s, 8, all)
	time.Sleep(100 * time.Millisecond)
	end()
	drain(t, s, all)
}

func ringLostAnswer(t *testing.T, r *ring, s *Store) {
	it := item(rule("lost", ratelimit.FixedWindow, 10, time.Hour), "k")
	at := r.home(t, func() { must(t, s, it) })
	ran := r.home(t, func() {
		r.proxies[at].CutAfter("evalsha")
		if _, err := try(s, it); err == nil {
			t.Error("an answer came although the connection was cut")
		}
	})
	if left := must(t, s, it).Items[0].Remaining; ran != at || left != 7 {
		t.Errorf("three calls of ten have left %d", left)
	}
}

// ringServerGone ends a server: until the client has noticed calls fail, then
// another one decides about its buckets.
func ringServerGone(t *testing.T, r *ring, s *Store) {
	it := item(rule("gone", ratelimit.FixedWindow, 10, time.Hour), "k")
	at := r.home(t, func() { must(t, s, it) })
	r.servers[at].Kill()
	if err := s.Do(t.Context(), batch(20*time.Millisecond, it)); err == nil {
		t.Error("a decision without a server")
	}
	eventually(t, "a decision", func() bool {
		b, err := try(s, it)
		if err == nil && b.Items[0].Remaining != 9 {
			t.Errorf("the first call of ten has left %d", b.Items[0].Remaining)
		}
		return err == nil
	})
}
