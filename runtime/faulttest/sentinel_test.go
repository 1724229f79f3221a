package faulttest

import (
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// watching are the rules that the documentation shows for the user of sentinels.
func watching(t *testing.T) []string {
	t.Helper()
	_, line, ok := strings.Cut(read(t, operations), "    ACL SETUSER watcher ")
	line, _, _ = strings.Cut(line, "\n")
	if !ok {
		t.Fatalf("%s shows no user of sentinels", operations)
	}
	return strings.Fields(line)
}

// TestRightsBehindSentinel has both users of the documentation do everything,
// and find the new master when the old one is gone.
func TestRightsBehindSentinel(t *testing.T) {
	s := redistest.StartSentinel(t)
	for _, server := range s.Data {
		setUser(t, server.Client(t), "shop", rights(t)[0])
	}
	for _, server := range s.Sentinels {
		setUser(t, server.Client(t), "watcher", watching(t))
	}
	o := s.Options()
	o.Username, o.Password, o.SentinelUsername, o.SentinelPassword = "shop", "SECRET", "watcher", "SECRET"
	client := redis.NewFailoverClient(o)
	defer client.Close()
	if err := everything(t, client); err != nil {
		t.Fatal(err)
	}
	replica := s.Replica(t)
	s.Master(t).Kill()
	s.AwaitMaster(t, replica)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := everything(t, client)
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("with the new master: %v", err)
		}
	}
}

// TestSentinelRightsAreNeeded takes one right after the other away.
func TestSentinelRightsAreNeeded(t *testing.T) {
	s := redistest.StartSentinel(t)
	all := watching(t)
	for i, right := range all {
		if !strings.HasPrefix(right, "+") {
			continue
		}
		for _, server := range s.Sentinels {
			setUser(t, server.Client(t), "watcher", append(append([]string{"reset"}, all[:i]...), all[i+1:]...))
			server.Client(t).ACLLogReset(t.Context())
		}
		o := s.Options()
		o.SentinelUsername, o.SentinelPassword = "watcher", "SECRET"
		client := redis.NewFailoverClient(o)
		client.Ping(t.Context())
		denied := false
		await(t, "somebody who asks for "+right, func() bool {
			for _, server := range s.Sentinels {
				entries, err := server.Client(t).ACLLog(t.Context(), 10).Result()
				denied = denied || err == nil && len(entries) > 0
			}
			return denied
		})
		client.Close()
	}
}
