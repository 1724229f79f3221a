package redisstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	errClosed = errors.New("redisstore: the store is closed")
	errStuck  = errors.New("redisstore: closed, but commands are still in flight")
	errBusy   = errors.New("as many commands as may be are in flight")
)

// dispatcher sends calls from a bounded number of goroutines of its own, so
// that a caller can leave on time: the client does not give up a command in
// flight without cutting its connection.
type dispatcher struct {
	client redis.UniversalClient
	jobs   chan job
	quit   chan struct{}

	mu      sync.Mutex
	closed  bool
	free    int // workers that may still be started
	workers sync.WaitGroup
}

type job struct {
	*call
	ctx      context.Context
	deadline time.Time
}

func newDispatcher(client redis.UniversalClient) *dispatcher {
	return &dispatcher{client: client, jobs: make(chan job), quit: make(chan struct{}), free: places(client)}
}

// places is how many commands may be in flight: more than the client has
// connections for would only wait elsewhere. Those that wait for one node of
// several must not take the places of the others.
func places(client redis.UniversalClient) int {
	switch c := client.(type) {
	case *redis.Client:
		return poolSize(c.Options().PoolSize, c.Options().MaxActiveConns)
	case *redis.ClusterClient:
		return min(8*poolSize(c.Options().PoolSize, c.Options().MaxActiveConns), 1024)
	case *redis.Ring:
		return min(8*poolSize(c.Options().PoolSize, c.Options().MaxActiveConns), 1024)
	}
	return 64
}

func poolSize(size, most int) int {
	if most > 0 {
		return min(size, most)
	}
	return size
}

// do has c answered, by deadline and while ctx lasts. After an error c is no
// longer the caller's.
func (d *dispatcher) do(ctx context.Context, deadline time.Time, c *call) error {
	if !deadline.IsZero() {
		c.timer.Reset(time.Until(deadline))
	}
	j := job{c, &errand{ctx, c.left}, deadline}
	if err := d.hand(ctx, j); err != nil {
		c.timer.Stop()
		c.free()
		return err
	}
	return await(ctx, c)
}

// hand gives j to a worker.
func (d *dispatcher) hand(ctx context.Context, j job) error {
	select {
	case d.jobs <- j:
		return nil
	default:
	}
	if d.grow(j) {
		return nil
	}
	select {
	case d.jobs <- j:
		return nil
	case <-d.quit:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	case <-j.timer.C:
		return &lateError{errBusy}
	}
}

// grow starts another worker with j, if there may be one.
func (d *dispatcher) grow(j job) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.free == 0 {
		return false
	}
	d.free--
	d.workers.Go(func() { d.work(j) })
	return true
}

func (d *dispatcher) work(j job) {
	for {
		j.answer(ask(d.client, j))
		j = job{}
		select {
		case j = <-d.jobs:
		case <-d.quit:
			return
		}
	}
}

// await returns nil if c is answered well; c stays the caller's then.
func await(ctx context.Context, c *call) error {
	var err error
	select {
	case <-c.answered:
	case <-ctx.Done():
		err = ctx.Err()
	case <-c.timer.C:
		err = c.late()
	}
	c.timer.Stop()
	if err != nil && c.abandon() {
		return err
	}
	if err := c.err; err != nil {
		c.free()
		return err
	}
	return nil
}

// aside runs f while ctx lasts, apart from the calls.
func (d *dispatcher) aside(ctx context.Context, f func(context.Context) error) error {
	done := make(chan error, 1)
	if !d.start(func() { done <- f(context.WithoutCancel(ctx)) }) {
		return errClosed
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *dispatcher) start(f func()) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.workers.Go(f)
	}
	return !d.closed
}

// close ends the workers. Those whose command is in flight end with it, which
// is waited for only so long.
func (d *dispatcher) close(wait time.Duration) error {
	d.mu.Lock()
	if !d.closed {
		d.closed = true
		close(d.quit)
	}
	d.mu.Unlock()
	done := make(chan struct{})
	go func() { d.workers.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-time.After(wait):
		return errStuck
	}
}
