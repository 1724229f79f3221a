package redistest

import (
	"context"
	"testing"
)

// Migration is a slot on its way from one master to another, while the cluster
// serves. Keys that are still at the source are served there; for those that
// are not the source answers ASK, and TRYAGAIN where a command has some of
// both.
type Migration struct {
	cluster  *Cluster
	slot     int
	from, to *Node
}

// Migrate begins to move slot to a master that does not own it. No key is moved
// yet.
func (c *Cluster) Migrate(tb testing.TB, slot int, to *Node) *Migration {
	tb.Helper()
	m := &Migration{c, slot, c.Owner(tb, slot), to}
	to.Do(tb, "CLUSTER", "SETSLOT", slot, "IMPORTING", m.from.ID)
	m.from.Do(tb, "CLUSTER", "SETSLOT", slot, "MIGRATING", to.ID)
	return m
}

// Move moves up to n keys, and returns how many it found.
func (m *Migration) Move(tb testing.TB, n int) int {
	tb.Helper()
	keys, err := m.from.admin.ClusterGetKeysInSlot(context.Background(), m.slot, n).Result()
	if err != nil {
		tb.Fatalf("redistest: CLUSTER GETKEYSINSLOT: %v", err)
	}
	for _, key := range keys {
		m.MoveKey(tb, key)
	}
	return len(keys)
}

// MoveKey moves key, if it is there.
func (m *Migration) MoveKey(tb testing.TB, key string) {
	tb.Helper()
	m.from.Do(tb, "MIGRATE", "127.0.0.1", m.to.port, key, 0, patience.Milliseconds())
}

// End moves all keys that are left, and makes the slot the target's.
func (m *Migration) End(tb testing.TB) {
	tb.Helper()
	for m.Move(tb, 100) > 0 {
	}
	m.to.Do(tb, "CLUSTER", "SETSLOT", m.slot, "NODE", m.to.ID)
	m.from.Do(tb, "CLUSTER", "SETSLOT", m.slot, "NODE", m.to.ID)
	for _, node := range m.cluster.Masters {
		if node != m.to && node != m.from && node.running() {
			node.Do(tb, "CLUSTER", "SETSLOT", m.slot, "NODE", m.to.ID)
		}
	}
}
