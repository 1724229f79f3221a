package redistest

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"
)

// nodeTimeout is after how many milliseconds without an answer a node counts as
// down: long enough for a machine that is busy.
const nodeTimeout = "2000"

// Node is a server of a [Cluster].
type Node struct {
	*Server
	ID    string
	bus   int // the port on which nodes talk
	admin *redis.Client
}

// startNodes starts all at once.
func startNodes(tb testing.TB, n int, args []string) []*Node {
	tb.Helper()
	nodes, errs := make([]*Node, n), make([]error, n)
	done := make(chan int)
	for i := range n {
		go func() {
			nodes[i], errs[i] = runNode(args)
			done <- i
		}()
	}
	for range n {
		if node := nodes[<-done]; node != nil {
			tb.Cleanup(node.Close)
			node.admin = node.Client(tb)
		}
	}
	for _, err := range errs {
		if err != nil {
			tb.Fatalf("redistest: %v", err)
		}
	}
	return nodes
}

// runNode is Run with a second port, which another process may take, too.
func runNode(args []string) (*Node, error) {
	var last error
	for range 3 {
		bus, err := freePort()
		if err != nil {
			return nil, err
		}
		s, err := Run(slices.Concat(replication, []string{
			"--cluster-enabled", "yes", "--cluster-node-timeout", nodeTimeout, "--cluster-port", strconv.Itoa(bus),
		}, args)...)
		if err == nil {
			return &Node{Server: s, bus: bus}, nil
		}
		last = err
	}
	return nil, last
}

func (n *Node) owns(tb testing.TB, slot int) bool {
	tb.Helper()
	ranges, err := n.admin.ClusterSlots(context.Background()).Result()
	if err != nil {
		tb.Fatalf("redistest: CLUSTER SLOTS: %v", err)
	}
	for _, r := range ranges {
		if r.Start <= slot && slot <= r.End && len(r.Nodes) > 0 {
			return r.Nodes[0].ID == n.ID
		}
	}
	return false
}

// Do sends a command that must not fail.
func (n *Node) Do(tb testing.TB, args ...any) {
	tb.Helper()
	if err := n.admin.Do(context.Background(), args...).Err(); err != nil {
		tb.Fatalf("redistest: %v: %v", args, err)
	}
}

func (n *Node) text(tb testing.TB, args ...any) string {
	tb.Helper()
	text, err := n.admin.Do(context.Background(), args...).Text()
	if err != nil {
		tb.Fatalf("redistest: %v: %v", args, err)
	}
	return text
}
