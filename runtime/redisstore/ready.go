package redisstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	readyKey = "!ready" // no rule's name begins so

	// mostWarm is how many connections at most are opened to a node that is asked
	// by single commands: half of those that go-redis has for one processor.
	mostWarm = 5

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
	deadline, bound := ctx.Deadline()
	if bound { // before ctx ends, which says nothing of why
		deadline = deadline.Add(-time.Until(deadline) / 8)
	}
	if err := s.dispatcher.do(ctx, deadline, c); err != nil {
		return fmt.Errorf("redisstore: Redis is there, but does not run the scripts (6.2 or later is needed, and the right to write): %w", err)
	}
	c.free()
	return nil
}

// because adds to err, which says that Ready had no more time, why it has needed
// so much, if that shows soon.
func (s *Store) because(err error) error {
	o := optionsOf(s.client)
	why := make(chan error, 1)
	if o == nil || !s.dispatcher.start(func() { why <- greet(o) }) {
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

// warmNode asks whether the node is there, and then opens what decisions use. The
// client has connections of their own for pipelines.
func (s *Store) warmNode(ctx context.Context, node *redis.Client) error {
	if err := node.Ping(ctx).Err(); err != nil {
		return err
	}
	if s.dispatcher.calls == 1 {
		return hold(ctx, node, min(places(node)/2, mostWarm))
	}
	errs := make([]error, min(places(node), usualBatches))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			_, errs[i] = node.Pipelined(ctx, func(p redis.Pipeliner) error { p.Ping(ctx); return p.Ping(ctx).Err() })
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

// hold opens n connections by using them all at once.
func hold(ctx context.Context, node *redis.Client, n int) (err error) {
	for ; n > 0 && err == nil; n-- {
		conn := node.Conn()
		defer conn.Close()
		err = conn.Ping(ctx).Err()
	}
	return err
}
