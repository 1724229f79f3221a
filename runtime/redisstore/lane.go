package redisstore

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// node is what a lane leads to.
type node interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
}

// lane is the way to one node. Calls queue in it while some batches are in
// flight, and those that have queued make the next batch.
type lane struct {
	dispatcher *dispatcher
	node       node
	limits

	mu      sync.Mutex
	queue   queue
	closed  bool
	senders int         // goroutines that send batches
	coming  int         // of these, those on their way to the queue
	idle    int         // of these, those who wait for wake
	moved   time.Time   // when the last batch left
	crowd   atomic.Bool // it was of several calls
	prompt  bool        // a caller may send its call itself
	direct  direct

	wake    chan bool   // false ends a sender
	looking bool        // a timer runs until look
	evening *time.Timer // when the idle are looked at

	cause cause
}

// limits bound what a lane has in flight.
type limits struct {
	calls  int // in one batch
	usual  int // batches
	places int // batches, where the usual ones take longer than overdue
}

func newLane(d *dispatcher, n node, l limits) *lane {
	return &lane{dispatcher: d, node: n, limits: l, prompt: prompt(n), wake: make(chan bool, l.places)}
}

// overdue is how long a lane waits for the batches in flight before it sends
// further ones.
const overdue = 5 * time.Millisecond

// put queues c.
func (l *lane) put(c *call) {
	if !l.push(c) {
		c.answer(errClosed)
	}
}

func (l *lane) push(c *call) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		c.lane.Store(l)
		l.queue.push(c)
		l.call()
	}
	return !l.closed
}

// drop takes c out of the queue. It reports false if c is not in it.
func (l *lane) drop(c *call) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.lane.Load() != l {
		return false
	}
	l.queue.remove(c)
	c.lane.Store(nil)
	return true
}

// call gets a sender to the queue, unless one is coming or as many as may be
// have a batch in flight.
func (l *lane) call() {
	flying := l.senders - l.idle
	switch {
	case l.coming > 0:
	case !l.another(flying):
		if flying < l.places && !l.looking {
			l.looking = true
			time.AfterFunc(overdue, l.look)
		}
	case l.idle > 0:
		l.idle--
		l.coming++
		l.wake <- true
	default:
		l.senders++
		l.coming++
		l.dispatcher.workers.Go(l.send)
	}
}

// another reports whether a batch may leave beside so many in flight. More than
// the usual ones would only make batches smaller, unless there is a full one, or
// those in flight are slow.
func (l *lane) another(flying int) bool {
	return flying < l.usual || flying < l.places && (l.queue.len >= l.calls || time.Since(l.moved) > overdue)
}

// look sends what is queued if the batches in flight are overdue.
func (l *lane) look() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looking = false
	if l.queue.len > 0 {
		l.call()
	}
}

func (l *lane) send() {
	f := newFlight()
	for {
		for l.take(f) {
			f.fly(l)
			l.comeBack(f.calm())
			f.land(l)
		}
		if !<-l.wake {
			return
		}
	}
}

// take fills f from the queue, or else makes the sender idle.
func (l *lane) take(f *flight) bool {
	if l.crowd.Load() {
		// Those who are about to ask come first and share the round trip.
		runtime.Gosched()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.coming--
	if !l.another(l.senders - l.idle - 1) {
		l.rest()
		if l.queue.len > 0 {
			l.call()
		}
		return false
	}
	for l.queue.len > 0 && len(f.calls) < l.calls {
		f.board(l.queue.pop())
	}
	if len(f.calls) == 0 {
		l.rest()
		return false
	}
	l.moved = time.Now()
	f.start = l.moved
	l.crowd.Store(len(f.calls) > 1)
	if l.queue.len > 0 {
		l.call()
	}
	return true
}

// comeBack says that a sender will be at the queue when it has passed the
// answers on, so that those who ask again at once need no other.
func (l *lane) comeBack(calm bool) {
	l.mu.Lock()
	l.coming++
	l.direct.calm = calm
	l.mu.Unlock()
}

// close refuses what is queued and all that comes.
func (l *lane) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.dismiss()
	if l.evening != nil {
		l.evening.Stop()
	}
	for l.queue.len > 0 {
		c := l.queue.pop()
		c.lane.Store(nil)
		c.answer(errClosed)
	}
}

// idleTime is how long senders are kept that have nothing to do.
const idleTime = time.Minute

// rest makes a sender idle.
func (l *lane) rest() {
	l.idle++
	switch {
	case l.closed:
		l.dismiss()
	case l.evening == nil:
		l.evening = time.AfterFunc(idleTime, l.retire)
	}
}

// retire ends the senders if there was nothing to do for them of late.
func (l *lane) retire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.evening = nil
	if time.Since(l.moved) > idleTime/2 {
		l.dismiss()
	}
	if l.senders > 0 && !l.closed {
		l.evening = time.AfterFunc(idleTime, l.retire)
	}
}

// dismiss ends the idle senders.
func (l *lane) dismiss() {
	for ; l.idle > 0; l.idle-- {
		l.senders--
		l.wake <- false
	}
}
