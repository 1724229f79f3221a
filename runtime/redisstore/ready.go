package redisstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	readyKey = "!ready" // no rule's name begins so

	// mostWarm is how many connections are opened to a node that is asked by
	// single commands: as many as go-redis keeps for one processor.
	mostWarm = 10

	// becauseWait is how much longer than it may Ready takes for that.
	becauseWait = 100 * time.Millisecond
)

// Ready opens the connections to every node that decisions usually need, and
// runs a script that needs what decisions need and writes nothing.
func (s *Store) Ready(ctx context.Context) error {
	if s.fault != nil {
		return s.fault
	}
	if err := s.dispatcher.aside(ctx, s.warm); err != nil {
		if ctx.Err() != nil {
			err = s.because(err)
		}
		return fmt.Errorf("redisstore: cannot reach Redis: %w", err)
	}
	c := newCall()
	c.use(s.scripts.Ready())
	c.addInt(1)
	a := c.next()
	a.text = append(append(a.text, s.prefix...), readyKey...)
	s.addMoment(c, s.moment())
	deadline, _ := ctx.Deadline()
	if err := s.dispatcher.do(ctx, deadline, c); err != nil {
		return fmt.Errorf("redisstore: Redis is there, but does not run the scripts (6.2 or later is needed, and the right to write): %w", err)
	}
	c.free()
	return nil
}

// because adds to err, which says that Ready had no more time, why it has needed
// so much, if that shows soon.
func (s *Store) because(err error) error {
	client, alone := s.client.(*redis.Client)
	why := make(chan error, 1)
	if !alone || !s.dispatcher.start(func() { why <- greet(client) }) {
		return err
	}
	select {
	case found := <-why:
		if found != nil {
			return fmt.Errorf("%w: %w", err, found)
		}
	case <-time.After(becauseWait):
	}
	return err
}

func (s *Store) warm(ctx context.Context) error {
	switch client := s.client.(type) {
	case *redis.ClusterClient:
		return client.ForEachMaster(ctx, s.warmNode)
	case *redis.Ring:
		return client.ForEachShard(ctx, s.warmNode)
	case *redis.Client:
		return s.warmNode(ctx, client)
	}
	return s.client.Ping(ctx).Err()
}

// warmNode has as many commands and pipelines sent at once as decisions would
// be. The client has connections of their own for pipelines.
func (s *Store) warmNode(ctx context.Context, node *redis.Client) error {
	singles, pipelines := min(places(node), mostWarm), 0
	if s.dispatcher.calls > 1 {
		singles, pipelines = 1, min(places(node), usualBatches)
	}
	errs := make([]error, singles+pipelines)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			if i < singles {
				errs[i] = node.Ping(ctx).Err()
				return
			}
			_, errs[i] = node.Pipelined(ctx, func(p redis.Pipeliner) error { p.Ping(ctx); return p.Ping(ctx).Err() })
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
