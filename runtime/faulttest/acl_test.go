package faulttest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
)

const operations = "../../docs/operations.md"

// rights are the rules of the user that the documentation shows, and those that
// a cluster needs besides.
func rights(t *testing.T) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if rules, ok := strings.CutPrefix(line, "    ACL SETUSER shop "); ok {
			all = append(all, strings.Fields(rules))
		}
	}
	if len(all) != 2 {
		t.Fatalf("%s has %d times ACL SETUSER", operations, len(all))
	}
	return all
}

func setUser(t *testing.T, c *redis.Client, name string, rules []string) {
	args := []any{"ACL", "SETUSER", name}
	for _, rule := range rules {
		args = append(args, rule)
	}
	if err := c.Do(t.Context(), args...).Err(); err != nil {
		t.Fatal(err)
	}
}

// everything does all that a limiter does, and returns the first error.
func everything(t *testing.T, client redis.UniversalClient) error {
	store := redisstore.New(client, redisstore.WithPrefix("shop:"))
	l := ratelimit.New(store, ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithTimeout(2*time.Second),
		ratelimit.WithLogger(slog.New(slog.DiscardHandler)), ratelimit.WithDenyCache(0))
	defer l.Close()
	ctx := context.Background()
	if err := l.Ready(ctx); err != nil {
		return err
	}
	if err := elapsed(ctx, l); err != nil {
		return err
	}
	var all []ratelimit.Request
	for _, a := range algorithms {
		rule := fewOf(a)
		rule.Tag = "t"
		all = append(all, rule.For("k"))
		for range few + 2 {
			d, err := l.Acquire(ctx, rule.For("k"))
			if err != nil {
				return err
			}
			l.Peek(ctx, rule.For("k"))
			if d.Allowed && d.Remaining == 1 {
				if err := l.Refund(ctx, d); err != nil {
					return err
				}
			}
		}
	}
	if _, err := l.Acquire(ctx, all...); err != nil {
		return err
	}
	if _, err := l.AcquireAtMost(ctx, 3, all...); err != nil {
		return err
	}
	return l.Reset(ctx, all...)
}

// elapsed has a sliding window forget one call, and many.
func elapsed(ctx context.Context, l *ratelimit.Limiter) error {
	rule := &ratelimit.Rule{Name: "short", Algorithm: ratelimit.SlidingWindow, Limit: few, Window: 20 * time.Millisecond, Tag: "t"}
	acquire := func(n int, pause time.Duration) (err error) {
		for range n {
			if err == nil {
				_, err = l.Acquire(ctx, rule.For("k"))
			}
			time.Sleep(pause)
		}
		return err
	}
	return errors.Join(acquire(8, 5*time.Millisecond), acquire(few, 0), acquire(1, 0), acquire(2, 25*time.Millisecond))
}

// TestRights has the user of the documentation do everything, and not without
// any of its rights.
func TestRights(t *testing.T) {
	server := redistest.Start(t)
	root := server.Client(t)
	rules := rights(t)[0]
	as := func(rules []string) error {
		setUser(t, root, "shop", append([]string{"reset"}, rules...))
		if err := errors.Join(root.FlushAll(t.Context()).Err(), root.ScriptFlush(t.Context()).Err()); err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "shop", Password: "SECRET"})
		defer client.Close()
		return everything(t, client)
	}
	if err := as(rules); err != nil {
		t.Errorf("with %v: %v", rules, err)
	}
	for i, rule := range rules {
		if !strings.HasPrefix(rule, "+") && !strings.HasPrefix(rule, "~") {
			continue
		}
		if err := as(append(rules[:i:i], rules[i+1:]...)); err == nil {
			t.Errorf("%s is not needed", rule)
		}
	}
}

func TestRightsOfOtherKeys(t *testing.T) {
	server := redistest.Start(t)
	setUser(t, server.Client(t), "shop", rights(t)[0])
	client := redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "shop", Password: "SECRET"})
	defer client.Close()
	store := redisstore.New(client, redisstore.WithPrefix("other:"))
	l := ratelimit.New(store, ratelimit.WithFailure(ratelimit.FailClosed))
	defer l.Close()
	if err := l.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "NOPERM") {
		t.Errorf("Ready with another prefix: %v", err)
	}
}

func TestRightsInACluster(t *testing.T) {
	cluster := redistest.StartCluster(t, 3, 0)
	all := rights(t)
	more := all[1]
	as := func(rules []string) error {
		for _, node := range cluster.Masters {
			setUser(t, node.Client(t), "shop", append(append([]string{"reset"}, all[0]...), rules...))
		}
		client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: cluster.Addrs(), Username: "shop", Password: "SECRET"})
		defer client.Close()
		return everything(t, client)
	}
	if err := as(more); err != nil {
		t.Errorf("with %v: %v", more, err)
	}
	for i, rule := range more {
		if err := as(append(more[:i:i], more[i+1:]...)); err == nil {
			t.Errorf("%s is not needed", rule)
		}
	}
}
