package main

import (
	"context"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/machine"
	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
)

// lab is a server of its own to measure on, and the clients of the contenders.
type lab struct {
	server *redistest.Server
	admin  *redis.Client
	pool   int // connections of each go-redis client
	ends   []func()
}

func openLab(pool int) (*lab, error) {
	server, err := redistest.Run()
	if err != nil {
		return nil, err
	}
	l := &lab{server: server, pool: pool, ends: []func(){server.Close}}
	l.admin = l.client()
	l.pool = l.admin.Options().PoolSize
	return l, nil
}

// close ends clients first and the server last.
func (l *lab) close() {
	for i := len(l.ends) - 1; i >= 0; i-- {
		l.ends[i]()
	}
}

// client is a new client, as every contender has one.
func (l *lab) client() *redis.Client {
	return l.clientOf(&redis.Options{ContextTimeoutEnabled: true})
}

// clientAsIs is one with nothing but the library's own options.
func (l *lab) clientAsIs() *redis.Client { return l.clientOf(&redis.Options{}) }

func (l *lab) clientOf(o *redis.Options) *redis.Client {
	o.Addr, o.PoolSize = l.server.Addr(), l.pool
	c := redis.NewClient(o)
	l.ends = append(l.ends, func() { c.Close() })
	return c
}

func (l *lab) rueidis() (rueidis.Client, error) {
	c, err := rueidis.NewClient(rueidis.ClientOption{InitAddress: []string{l.server.Addr()}, DisableCache: true})
	if err == nil {
		l.ends = append(l.ends, c.Close)
	}
	return c, err
}

// patience is how long a decision may take: four times the default, since a
// call that is given up is a fault of the row.
var patience = 200 * time.Millisecond

func (l *lab) empty() error { return l.admin.FlushAll(context.Background()).Err() }

func (l *lab) load(script string) (sha string, err error) {
	return l.admin.ScriptLoad(context.Background(), script).Result()
}

func (l *lab) where() (string, error) { return machine.Name(l.admin) }
