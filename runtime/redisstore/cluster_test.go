package redisstore

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
	"github.com/redis/go-redis/v9"
)

// TestCluster runs on three real masters.
func TestCluster(t *testing.T) {
	c := redistest.StartCluster(t, 3, 0)
	for _, sub := range []struct {
		name string
		test func(*testing.T, *redistest.Cluster)
	}{
		{"a rule spreads over the nodes", clusterSpreads},
		{"rules with a tag are one command", clusterOneCommand},
		{"a slot moves under load", clusterMigrationUnderLoad},
		{"a slot is moved by half", clusterHalfMigration},
		{"a lost answer is not asked again", clusterLostAnswer},
		{"ready", clusterReady},
		{"suite", clusterSuite},
	} {
		t.Run(sub.name, func(t *testing.T) { sub.test(t, c) })
	}
	if n := errorsOf(t, c)["CROSSSLOT"]; n != 0 {
		t.Errorf("the nodes have answered CROSSSLOT %d times", n)
	}
}

// clusterSuite compares fewer decisions than TestSuite does: the scripts are the
// same.
func clusterSuite(t *testing.T, c *redistest.Cluster) {
	if os.Getenv(storetest.StepsVar) == "" && os.Getenv("RATELIMIT_TEST_FULL") != "1" {
		t.Setenv(storetest.StepsVar, "5000")
	}
	client := c.Client(t)
	var stores atomic.Int64
	seen := written{}
	storetest.Suite{
		Open: func(t testing.TB, clock func() time.Time) ratelimit.Store {
			return still(open(t, client, WithPrefix(fmt.Sprintf("suite%d:", stores.Add(1))), WithClock(clock)))
		},
		TTL: seen.left, Operations: true,
	}.Run(t)
}

func clusterSpreads(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.Client(t), WithPrefix("spread:"))
	r := rule("spread", ratelimit.SlidingWindow, 1, time.Hour)
	const keys = 300
	for i := range keys {
		must(t, s, item(r, fmt.Sprint("user:", i)))
	}
	total := 0
	for _, node := range c.Masters {
		n := len(node.Client(t).Keys(t.Context(), "spread:*").Val())
		if total += n; n < keys/6 {
			t.Errorf("%s has %d of %d buckets", node.Addr(), n, keys)
		}
	}
	if total != keys {
		t.Errorf("the nodes have %d buckets, want %d", total, keys)
	}
}

// clusterOneCommand looks at what the nodes count for decisions about rules of
// all kinds.
func clusterOneCommand(t *testing.T, c *redistest.Cluster) {
	s := open(t, c.Client(t), WithPrefix("one:"))
	var some []ratelimit.Item
	for i, a := range algorithms {
		some = append(some, item(rule(fmt.Sprint("r", i), a, 3, time.Minute), "k"))
	}
	some = append(some, item(daily("day", 3), "k"))
	for _, tag := range []string{"a", "b", "c", "a}{b", strings.Repeat("long", 30)} {
		for n := 2; n <= len(some); n++ {
			asked := some[:n:n]
			for i := range asked {
				asked[i].Tag = tag
			}
			must(t, s, asked...) // connects and loads the script
			before := commands(t, c)
			must(t, s, asked...)
			after := commands(t, c)
			if after.sum-before.sum != 1 || after.nodes(before) != 1 {
				t.Errorf("tag %q: a decision about %d rules took %d commands on %d nodes",
					tag, n, after.sum-before.sum, after.nodes(before))
			}
		}
	}
}

// ran is how many scripts the nodes have run.
type ran struct {
	each []int64
	sum  int64
}

func commands(t *testing.T, c *redistest.Cluster) ran {
	var r ran
	for _, node := range c.Masters {
		stats := node.Stats(t)
		n := stats["evalsha"].Calls + stats["eval"].Calls
		r.each, r.sum = append(r.each, n), r.sum+n
	}
	return r
}

func (r ran) nodes(before ran) (n int) {
	for i := range r.each {
		if r.each[i] != before.each[i] {
			n++
		}
	}
	return n
}

// errorsOf returns how often the nodes have answered with each error.
func errorsOf(t *testing.T, c *redistest.Cluster) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, node := range c.Masters {
		text, err := node.Client(t).Info(context.Background(), "errorstats").Result()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			name, count, ok := strings.Cut(strings.TrimSpace(line), ":count=")
			if n, err := strconv.Atoi(count); ok && err == nil {
				counts[strings.TrimPrefix(name, "errorstat_")] += n
			}
		}
	}
	return counts
}

// clusterLostAnswer cuts a connection after a node has run the command, also
// where the client was sent there by ASK.
func clusterLostAnswer(t *testing.T, c *redistest.Cluster) {
	for _, calls := range []int{64, 1} {
		t.Run(fmt.Sprint("batches of ", calls), func(t *testing.T) {
			client, proxies := proxied(t, c)
			s := open(t, client, WithPrefix(fmt.Sprintf("lost%d:", calls)), WithBatching(calls))
			loseAnswers(t, c, s, proxies)
		})
	}
}

func loseAnswers(t *testing.T, c *redistest.Cluster, s *Store, proxies map[string]*redistest.Proxy) {
	it := item(rule("lost", ratelimit.FixedWindow, 10, time.Hour), "k")
	slot := c.Slot(t, s.key(&it))
	owner, other := c.Owner(t, slot), c.Other(t, slot)
	for i, at := range []*redistest.Node{owner, other} {
		must(t, s, it)
		if at == other {
			m := c.Migrate(t, slot, other)
			m.Move(t, 1)
			must(t, s, it)
			defer m.End(t)
		}
		before := commands(t, c)
		proxies[at.Addr()].CutAfter("evalsha")
		if _, err := try(s, it); err == nil {
			t.Errorf("%d: an answer came although the connection was cut", i)
		}
		if n := commands(t, c).sum - before.sum; n != 1 {
			t.Errorf("%d: the nodes ran %d commands, want 1", i, n)
		}
	}
	if left := must(t, s, it).Items[0].Remaining; left != 10-6 {
		t.Errorf("six calls of ten have left %d", left)
	}
}

// proxied returns a client that talks to each node through a proxy.
func proxied(t *testing.T, c *redistest.Cluster) (*redis.ClusterClient, map[string]*redistest.Proxy) {
	proxies := map[string]*redistest.Proxy{}
	for _, node := range c.Masters {
		proxies[node.Addr()] = redistest.NewProxy(t, node.Addr())
	}
	client := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: c.Addrs(),
		Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, proxies[addr].Addr())
		},
	})
	t.Cleanup(func() { client.Close() })
	return client, proxies
}

func clusterReady(t *testing.T, c *redistest.Cluster) {
	client, proxies := proxied(t, c)
	s := open(t, client, WithPrefix("ready:"))
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for addr, proxy := range proxies {
		if proxy.Accepted() == 0 {
			t.Errorf("Ready has not connected to %s", addr)
		}
	}
}
