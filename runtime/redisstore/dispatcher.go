package redisstore

import (
	"context"
	"errors"
	"runtime"
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
	whole *lane  // the client itself
	nodes *nodes // of a client with several, or nil
	calls int    // in a batch

	mu      sync.Mutex // of closed and of adding lanes
	closed  bool
	workers sync.WaitGroup
}

// usualBatches is how many batches a node has in flight where it answers soon.
const usualBatches = 2

func newDispatcher(client redis.UniversalClient, calls int) *dispatcher {
	d := &dispatcher{calls: max(calls, 1)}
	at := places(client)
	whole := limits{1, at, at}
	if _, alone := client.(*redis.Client); alone {
		whole = d.limits(at)
	} else if d.nodes = nodesOf(client); d.nodes != nil && d.calls == 1 {
		d.nodes.find = func(string) *redis.Client { return nil } // the whole client sends all
	}
	d.whole = newLane(d, client, whole)
	return d
}

// limits are those of the lane to a node that has so many places.
func (d *dispatcher) limits(places int) limits {
	if d.calls == 1 {
		return limits{1, places, places}
	}
	return limits{d.calls, min(usualBatches, places), places}
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

// poolSize is how many connections a client has to a node. A Ring does not tell
// where its options leave it to go-redis, which then has ten for each processor.
func poolSize(size, most int) int {
	if size <= 0 {
		size = 10 * runtime.GOMAXPROCS(0)
	}
	if most > 0 {
		return min(size, most)
	}
	return size
}

// do has c answered, by deadline and while ctx lasts. After an error c is no
// longer the caller's.
func (d *dispatcher) do(ctx context.Context, deadline time.Time, c *call) error {
	c.ctx, c.deadline = ctx, deadline
	l := d.lane(c)
	if !deadline.IsZero() {
		if done, err := l.alone(c, time.Now()); done {
			return err
		}
		c.arm()
	}
	l.put(c)
	return l.explain(await(ctx, c))
}

// put queues c on its lane.
func (d *dispatcher) put(c *call) { d.lane(c).put(c) }

func (d *dispatcher) lane(c *call) *lane {
	var client *redis.Client
	if d.nodes != nil && !c.astray {
		client = d.nodes.find(c.key())
	}
	if client == nil {
		return d.whole
	}
	if l, ok := d.nodes.lanes.Load(client); ok {
		return l.(*lane)
	}
	return d.add(client)
}

// add opens the lane to client.
func (d *dispatcher) add(client *redis.Client) *lane {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := newLane(d, client, d.limits(places(client)))
	l.closed = d.closed
	known, _ := d.nodes.lanes.LoadOrStore(client, l)
	return known.(*lane)
}

// later asks again after c's pause. Whoever calls it is a worker.
func (d *dispatcher) later(c *call) {
	d.workers.Add(1)
	time.AfterFunc(c.pause, func() {
		defer d.workers.Done()
		d.put(c)
	})
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

// close refuses further calls and those that are queued. It waits for those
// that are in flight, but only so long.
func (d *dispatcher) close(wait time.Duration) error {
	d.shut()
	done := make(chan struct{})
	go func() { d.workers.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-time.After(wait):
		return errStuck
	}
}

func (d *dispatcher) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.whole.close()
	if d.nodes != nil {
		d.nodes.lanes.Range(func(_, l any) bool { l.(*lane).close(); return true })
	}
}
