package redistest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestCluster(t *testing.T) {
	t.Parallel()
	start := time.Now()
	c := StartCluster(t, 3, 0)
	t.Logf("three masters after %v", time.Since(start))
	t.Run("spreads", func(t *testing.T) { spreads(t, c) })
	t.Run("migration", func(t *testing.T) { migrates(t, c) })
}

func spreads(t *testing.T, c *Cluster) {
	client := c.Client(t)
	for i := range 100 {
		if err := client.Set(t.Context(), fmt.Sprint("spread", i), i, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, node := range c.Masters {
		if n := node.Client(t).DBSize(t.Context()).Val(); n < 10 {
			t.Errorf("%d of 100 keys are on %s", n, node.Addr())
		}
	}
}

// migrates looks at what the nodes answer to a client that follows nothing.
func migrates(t *testing.T, c *Cluster) {
	slot := c.Slot(t, "{m}1")
	from, to := c.Owner(t, slot), c.Other(t, slot)
	check := func(n *Node, want string, args ...any) {
		t.Helper()
		answer, err := n.Client(t).Do(t.Context(), args...).Result()
		got := fmt.Sprint(answer)
		if err != nil {
			got = strings.Fields(err.Error())[0]
		}
		if got != want {
			t.Errorf("%v: got %s, want %s", args, got, want)
		}
	}
	check(from, "OK", "MSET", "{m}1", "a", "{m}2", "b")
	m := c.Migrate(t, slot, to)
	check(from, "a", "GET", "{m}1")
	check(from, "ASK", "GET", "{m}3")
	check(to, "MOVED", "GET", "{m}1")
	m.MoveKey(t, "{m}1")
	check(from, "ASK", "GET", "{m}1")
	check(from, "TRYAGAIN", "MGET", "{m}1", "{m}2")
	m.End(t)
	check(from, "MOVED", "GET", "{m}1")
	check(to, "[a b]", "MGET", "{m}1", "{m}2")
	if c.Owner(t, slot) != to {
		t.Error("the slot is not the target's")
	}
}

func TestClusterFailover(t *testing.T) {
	t.Parallel()
	c := StartCluster(t, 3, 1, "--cluster-node-timeout", "500")
	client := c.Client(t)
	if err := client.Set(t.Context(), "a", "b", 0).Err(); err != nil {
		t.Fatal(err)
	}
	slot := c.Slot(t, "a")
	owner := c.Owner(t, slot)
	owner.Do(t, "WAIT", 1, 5000)
	owner.Kill()
	start := time.Now()
	c.Await(t)
	t.Logf("a replica took over after %v", time.Since(start))
	if got := c.Owner(t, slot).Client(t).Get(t.Context(), "a").Val(); got != "b" {
		t.Errorf("the new master has %q", got)
	}
}
