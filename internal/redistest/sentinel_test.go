package redistest

import (
	"testing"
	"time"
)

func TestSentinel(t *testing.T) {
	t.Parallel()
	start := time.Now()
	s := StartSentinel(t)
	t.Logf("all know each other after %v", time.Since(start))
	client, master, replica := s.Client(t), s.Master(t), s.Replica(t)
	if master != s.Data[0] {
		t.Fatal("the first server is not the master")
	}
	if err := client.Set(t.Context(), "a", "b", 0).Err(); err != nil {
		t.Fatal(err)
	}
	master.Client(t).Do(t.Context(), "WAIT", 1, 5000)
	master.Kill()
	start = time.Now()
	s.AwaitMaster(t, replica)
	await(t, "the new master to take writes", func() bool { return client.Set(t.Context(), "c", "d", 0).Err() == nil })
	t.Logf("the replica took over after %v", time.Since(start))
	if got := client.Get(t.Context(), "a").Val(); got != "b" {
		t.Errorf("the new master has %q", got)
	}
}
