package redisstore

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/redis/go-redis/v9"
)

var algorithms = []ratelimit.Algorithm{
	ratelimit.FixedWindow, ratelimit.SlidingWindow, ratelimit.SlidingCounter, ratelimit.TokenBucket, ratelimit.LeakyBucket,
}

// batchings are the sizes of batches with which what matters is tested.
var batchings = []int{defaultBatch, 1}

func standalone(t testing.TB, opts ...Option) (*redistest.Server, *redis.Client, *Store) {
	server := redistest.Start(t)
	client := server.Client(t)
	return server, client, open(t, client, opts...)
}

func open(t testing.TB, client redis.UniversalClient, opts ...Option) *Store {
	s := New(client, opts...)
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

// still has the expiries of s count from one full hour, however long the test takes.
func still(s *Store) *Store {
	now := time.Now()
	s.now = func() time.Time { return now }
	return s
}

func closeStore(t testing.TB, s *Store) {
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func (s *Store) key(it *ratelimit.Item) string {
	return string(appendKey([]byte(s.prefix), it, s.clock != nil))
}

// rule returns a rule of which limit calls pass at once.
func rule(name string, a ratelimit.Algorithm, limit int64, window time.Duration) *ratelimit.Rule {
	r := &ratelimit.Rule{Name: name, Algorithm: a, Limit: limit, Window: window}
	if a == ratelimit.LeakyBucket {
		r.Burst = limit - 1
		if limit == 1 {
			r.Burst = ratelimit.NoQueue
		}
	}
	return r
}

func daily(name string, limit int64) *ratelimit.Rule {
	return &ratelimit.Rule{Name: name, Limit: limit, Calendar: ratelimit.Day, Zone: "Europe/Berlin"}
}

func item(r *ratelimit.Rule, key string) ratelimit.Item {
	return ratelimit.Item{Rule: r, Key: key, Cost: 1, Limit: r.Limit}
}

func costing(it ratelimit.Item, cost int64) ratelimit.Item {
	it.Cost = cost
	return it
}

func batch(within time.Duration, items ...ratelimit.Item) *ratelimit.Batch {
	b := ratelimit.NewBatch()
	b.Deadline = time.Now().Add(within)
	b.Items = append(b.Items, items...)
	return b
}

// try decides items with plenty of time.
func try(s *Store, items ...ratelimit.Item) (*ratelimit.Batch, error) {
	b := batch(10*time.Second, items...)
	return b, s.Do(context.Background(), b)
}

func must(t testing.TB, s *Store, items ...ratelimit.Item) *ratelimit.Batch {
	t.Helper()
	b, err := try(s, items...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// eventually waits for holds, which another goroutine or Redis makes true.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not in time: %s", what)
}

// statOf reads a number of the server's INFO.
func statOf(t testing.TB, server *redistest.Server, name string) int {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer client.Close()
	text, err := client.Info(context.Background(), "stats", "clients").Result()
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(text, name)
	n, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(after, "\n", 2)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
