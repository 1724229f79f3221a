package faulttest

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// attack is calls that come at a steady rate.
type attack struct {
	name     string
	every    time.Duration
	requests func(i int) []ratelimit.Request
}

func limited(name string, a ratelimit.Algorithm, limit int64, window time.Duration) *ratelimit.Rule {
	return &ratelimit.Rule{Name: name, Algorithm: a, Limit: limit, Window: window, Tag: "t", Fail: ratelimit.FailClosed}
}

var (
	byAddress = limited("address", ratelimit.SlidingWindow, 2, time.Second)
	byOrigin  = limited("login.ip", ratelimit.SlidingWindow, 20, time.Second)
	byUser    = limited("login.user", ratelimit.SlidingCounter, 5, time.Minute)
	global    = limited("global", ratelimit.TokenBucket, 1000, time.Second)
	fresh     = limited("fresh", ratelimit.FixedWindow, 3, 500*time.Millisecond)
)

var attacks = []attack{
	{
		name: "100 addresses, 3 a second each", every: time.Second / 300,
		requests: func(i int) []ratelimit.Request { return []ratelimit.Request{byAddress.For(address(i % 100))} },
	},
	{
		name: "1 address, 50 logins a second of random users", every: time.Second / 50,
		requests: func(i int) []ratelimit.Request {
			return []ratelimit.Request{byOrigin.For(address(0)), byUser.For(random(i))}
		},
	},
	{
		name: "5,000 addresses in a second", every: time.Second / 5000,
		requests: func(int) []ratelimit.Request { return []ratelimit.Request{global.For("")} },
	},
	{
		// and one in ten is somebody who is known, and above the limit
		name: "fresh keys, 2,000 a second", every: time.Second / 2000,
		requests: func(i int) []ratelimit.Request {
			if i%10 == 0 {
				return []ratelimit.Request{fresh.For(address(i / 10 % 10))}
			}
			return []ratelimit.Request{fresh.For(random(i))}
		},
	},
}

func address(i int) string { return fmt.Sprintf("192.0.2.%d", i) }

// random is another text for each i, and the same in each run.
func random(i int) string { return strconv.FormatUint(uint64(i)*0x9e3779b97f4a7c15, 36) }

// lasting is how many calls the attack makes in d.
func (a attack) lasting(d time.Duration) int { return int(d / a.every) }

// right checks that decisions were what they must be, all but one of a
// thousand.
func right(t *testing.T, wrong, all int) {
	t.Helper()
	if wrong*1000 > all {
		t.Errorf("%d of %d decisions are wrong", wrong, all)
	}
	t.Logf("%d of %d decisions are wrong", wrong, all)
}

// few lines of the log: one a second of each rule.
func (l *lines) bounded(t *testing.T, began time.Time) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if most := 2 * (2 + int(time.Since(began)/time.Second)); l.total > most {
		t.Errorf("%d lines of the log, want %d at most: %v", l.total, most, l.count)
	}
}

// TestAttacks has each attack go on for seconds of the stores' own time, and each
// decision be that of an exact oracle. What was refused has left nothing
// in the store, and what has passed no more than there is room for.
func TestAttacks(t *testing.T) {
	seconds := time.Second
	if full() {
		seconds *= 10
	}
	for _, a := range attacks {
		t.Run("memory/"+a.name, func(t *testing.T) {
			const room = 1500 // a fresh key's window is over after 1,000 of them
			now := start()
			store := memory.New(memory.WithCapacity(room), memory.WithClock(now.get))
			passed := a.simulate(t, store, now, a.lasting(3*seconds))
			if n, most := store.Len(), min(len(passed), room); n > most {
				t.Errorf("%d buckets are kept, want %d at most", n, most)
			}
		})
		t.Run("redis/"+a.name, func(t *testing.T) {
			server := redistest.Start(t)
			client := server.Client(t)
			now := start()
			store := redisstore.New(client, redisstore.WithClock(now.get))
			passed := a.simulate(t, store, now, a.lasting(seconds))
			if n := int(client.DBSize(t.Context()).Val()); n != len(passed) {
				t.Errorf("there are %d keys, want those of %d buckets that calls have passed of", n, len(passed))
			}
		})
	}
}

type clock struct{ now time.Time }

func start() *clock { return &clock{time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) get() time.Time { return c.now }

// simulate returns the buckets that calls have been charged to.
func (a attack) simulate(t *testing.T, store ratelimit.Store, now *clock, calls int) map[string]bool {
	log, began := &lines{}, time.Now()
	l := ratelimit.New(store, ratelimit.WithLogger(slog.New(log)), ratelimit.WithTimeout(10*time.Second))
	defer l.Close()
	oracle := ratelimit.New(storetest.NewOracle(now.get), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	defer oracle.Close()
	wrong, passed := 0, map[string]bool{}
	for i := range calls {
		requests := a.requests(i)
		got, err := l.Acquire(context.Background(), requests...)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := oracle.Acquire(context.Background(), requests...); got.Allowed != want.Allowed {
			wrong++
		}
		for _, q := range requests {
			passed[q.Rule.Name+q.Key] = passed[q.Rule.Name+q.Key] || got.Allowed
		}
		now.now = now.now.Add(a.every)
	}
	right(t, wrong, calls)
	log.bounded(t, began)
	for key, charged := range passed {
		if !charged {
			delete(passed, key)
		}
	}
	return passed
}
