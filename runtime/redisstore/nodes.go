package redisstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/redis/go-redis/v9"
)

// nodes are the lanes to the nodes of a Cluster or a Ring. What a node refuses
// to answer goes on by the lane of the whole client, which knows how to find
// another node.
type nodes struct {
	// find returns the node that has key, at once, or nil if it is not known.
	find   func(key string) *redis.Client
	reload func() // has the client look for its nodes, without waiting
	known  atomic.Bool
	lanes  sync.Map // of a *redis.Client, a *lane
}

func nodesOf(client redis.UniversalClient) *nodes {
	n := &nodes{reload: func() {}}
	switch c := client.(type) {
	case *redis.ClusterClient:
		n.find = n.whenKnown(func(key string) (*redis.Client, error) { return c.MasterForKey(context.Background(), key) })
		n.reload = func() { c.ReloadState(context.Background()) }
	case *redis.Ring:
		n.find = func(key string) *redis.Client { return orNil(c.GetShardClientForKey(key)) }
	default:
		return nil
	}
	return n
}

// whenKnown keeps a caller from waiting for a cluster's first map of its slots,
// which the client has when it has answered anything.
func (n *nodes) whenKnown(find func(string) (*redis.Client, error)) func(string) *redis.Client {
	return func(key string) *redis.Client {
		if !n.known.Load() {
			return nil
		}
		return orNil(find(key))
	}
}

func orNil(c *redis.Client, err error) *redis.Client {
	if err != nil {
		return nil
	}
	return c
}

// redirect sends c on to the whole client if its node says that another has
// the key, or is gone. It reports false if the answer is c's.
func (l *lane) redirect(c *call, err error) bool {
	n := l.dispatcher.nodes
	if n == nil {
		return false
	}
	if l == l.dispatcher.whole {
		n.seen(err)
		return false
	}
	n.doubt(err)
	c.astray = unrun(err)
	gone := errors.Is(err, redis.ErrClosed)
	if gone {
		n.lanes.Delete(l.node)
	}
	if !gone && !redis.HasErrorPrefix(err, "MOVED ") && !redis.HasErrorPrefix(err, "ASK ") {
		return false
	}
	c.astray = true
	l.dispatcher.put(c)
	return true
}

// seen is told what the whole client has answered.
func (n *nodes) seen(err error) {
	if err == nil && !n.known.Load() {
		n.known.Store(true)
	}
	n.doubt(err)
}

// doubt has the client look for its nodes if one did not answer.
func (n *nodes) doubt(err error) {
	var answer redis.Error
	if err != nil && !errors.As(err, &answer) {
		n.reload()
	}
}
