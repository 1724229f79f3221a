package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
)

// lab is a server of its own to measure on, a Limiter that decides there, and
// the usual scripts.
type lab struct {
	server  *redistest.Server
	client  *redis.Client
	limiter *ratelimit.Limiter
	usual   map[string]*redis.Script
	sent    *recorder
}

func openLab(root string) (*lab, error) {
	usual, err := readUsual(root)
	if err != nil {
		return nil, err
	}
	server, err := redistest.Run()
	if err != nil {
		return nil, err
	}
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	store := redisstore.New(client, redisstore.WithPrefix(""))
	limiter := ratelimit.New(store, ratelimit.WithTimeout(10*time.Second), ratelimit.WithDenyCache(0),
		ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	sent := new(recorder)
	client.AddHook(sent)
	return &lab{server, client, limiter, usual, sent}, nil
}

// readUsual reads the scripts that others are measured against.
func readUsual(root string) (map[string]*redis.Script, error) {
	usual := map[string]*redis.Script{}
	for _, name := range []string{"counter", "hash", "sortedset"} {
		text, err := os.ReadFile(filepath.Join(root, "bench", "yardsticks", name+".lua"))
		if err != nil {
			return nil, err
		}
		usual[name] = redis.NewScript(string(text))
	}
	return usual, nil
}

func (l *lab) close() {
	l.limiter.Close()
	l.client.Close()
	l.server.Close()
}

// draw takes cost from the buckets of key, and fails if they do not have it.
func (l *lab) draw(key string, cost int64, from ...*ratelimit.Rule) error {
	d, err := l.limiter.Acquire(context.Background(), requests(key, cost, from)...)
	if err == nil && !d.Allowed {
		err = fmt.Errorf("%s refuses %d", title(d.Rule), cost)
	}
	return err
}

func requests(key string, cost int64, from []*ratelimit.Rule) []ratelimit.Request {
	var all []ratelimit.Request
	for _, r := range from {
		all = append(all, r.For(key).WithCost(cost))
	}
	return all
}

// script runs one of the usual scripts, and tells whether its call passes.
func (l *lab) script(name, key string, args ...any) (bool, error) {
	reply, err := l.usual[name].Run(context.Background(), l.client, []string{key}, args...).Slice()
	if err != nil {
		return false, err
	}
	return reply[0] == int64(1), nil
}
