package redistest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Slots is how many there are in a cluster.
const Slots = 16384

// Cluster is a Redis Cluster. At the start the slots are spread evenly over
// its masters.
type Cluster struct {
	Masters  []*Node
	Replicas []*Node // in the order of their masters
}

// StartCluster runs a cluster of so many masters, each with so many replicas,
// until tb ends. Redis lets two seconds pass before a cluster takes commands.
// Further args are options of all servers.
func StartCluster(tb testing.TB, masters, replicas int, args ...string) *Cluster {
	tb.Helper()
	nodes := startNodes(tb, masters*(1+replicas), args)
	c := &Cluster{nodes[:masters:masters], nodes[masters:]}
	c.introduce(tb)
	c.assign(tb)
	c.attach(tb)
	c.Await(tb)
	return c
}

func (c *Cluster) nodes() []*Node { return append(c.Masters, c.Replicas...) }

func (c *Cluster) introduce(tb testing.TB) {
	tb.Helper()
	for i, node := range c.nodes() {
		node.ID = node.text(tb, "CLUSTER", "MYID")
		node.Do(tb, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
		node.Do(tb, "CLUSTER", "MEET", "127.0.0.1", c.Masters[0].port, c.Masters[0].bus)
	}
}

func (c *Cluster) assign(tb testing.TB) {
	tb.Helper()
	n := len(c.Masters)
	for i, node := range c.Masters {
		node.Do(tb, "CLUSTER", "ADDSLOTSRANGE", Slots*i/n, Slots*(i+1)/n-1)
	}
}

// attach makes the replicas follow their masters.
func (c *Cluster) attach(tb testing.TB) {
	tb.Helper()
	each := len(c.Replicas) / len(c.Masters)
	for i, node := range c.Replicas {
		master := c.Masters[i/each]
		await(tb, "a replica to know its master", func() bool {
			return node.admin.Do(context.Background(), "CLUSTER", "REPLICATE", master.ID).Err() == nil
		})
	}
}

// Await waits until all nodes that run agree that the cluster is well, and all
// replicas are up to date.
func (c *Cluster) Await(tb testing.TB) {
	tb.Helper()
	for _, node := range c.nodes() {
		await(tb, "the cluster of "+node.Addr(), func() bool { return !node.running() || c.wellFor(node) })
	}
}

func (c *Cluster) wellFor(node *Node) bool {
	info := node.admin.ClusterInfo(context.Background()).Val()
	known := fmt.Sprintf("cluster_known_nodes:%d\r\n", len(c.nodes()))
	return strings.Contains(info, "cluster_state:ok\r\n") && strings.Contains(info, known) && replicated(node.admin)
}

// Client returns a client with the library's own options that ends with tb.
func (c *Cluster) Client(tb testing.TB) *redis.ClusterClient {
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs()})
	tb.Cleanup(func() { client.Close() })
	return client
}

// Addrs are the hosts and ports of all nodes.
func (c *Cluster) Addrs() []string {
	var addrs []string
	for _, node := range c.nodes() {
		addrs = append(addrs, node.Addr())
	}
	return addrs
}

// Slot is the slot of key.
func (c *Cluster) Slot(tb testing.TB, key string) int {
	tb.Helper()
	slot, err := c.Masters[0].admin.ClusterKeySlot(context.Background(), key).Result()
	if err != nil {
		tb.Fatalf("redistest: CLUSTER KEYSLOT: %v", err)
	}
	return int(slot)
}

// Owner is the node that takes itself for the master of slot.
func (c *Cluster) Owner(tb testing.TB, slot int) *Node {
	tb.Helper()
	for _, node := range c.nodes() {
		if node.running() && node.owns(tb, slot) {
			return node
		}
	}
	tb.Fatalf("redistest: no node owns slot %d", slot)
	return nil
}

// Other is a master that does not own slot.
func (c *Cluster) Other(tb testing.TB, slot int) *Node {
	tb.Helper()
	if owner := c.Owner(tb, slot); owner != c.Masters[0] {
		return c.Masters[0]
	}
	return c.Masters[1]
}
