package ratelimit

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// mostEvents is how many changes may wait to be told of.
const mostEvents = 64

// news are the changes of a circuit that the log and the observers have not
// been told of. The breaker says so under its lock, where nothing of others may
// be called; so the calls tell, when they have left it.
type news struct {
	turned time.Duration // when the state last changed
	events []CircuitEvent

	pending    atomic.Bool
	delivering sync.Mutex
}

// change is called under the breaker's lock.
func (c *circuit) change(_ string, from, to gobreaker.State) {
	l, now := c.limiter, c.limiter.now()
	down, _ := l.outage.lasts(now)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := CircuitEvent{
		From: stateOf(from), To: stateOf(to), Time: time.Now(), Lasted: now - c.turned,
		Down: down, Undecided: l.outage.undecided(), Cause: c.cause,
	}
	c.turned = now
	c.state.Store(uint32(e.To))
	c.shutTill.Store(0)
	c.spell.Store(nil)
	if e.To == CircuitClosed {
		c.spell.Store(&spell{since: now})
	}
	if e.To == CircuitOpen {
		c.refusal.Store(&openError{c.cause})
		c.shutTill.Store(int64(now + openFor))
	}
	c.add(e)
}

func (n *news) add(e CircuitEvent) {
	if len(n.events) == mostEvents { // somebody is told very slowly
		n.events = append(n.events[:0], n.events[1:]...)
	}
	n.events = append(n.events, e)
	n.pending.Store(true)
}

func stateOf(s gobreaker.State) CircuitState {
	switch s {
	case gobreaker.StateClosed:
		return CircuitClosed
	case gobreaker.StateHalfOpen:
		return CircuitHalfOpen
	}
	return CircuitOpen
}

// deliver tells of changes, each once and in order: by one call at a time, so
// that what others do with them keeps nobody else waiting. No call does so for
// ever: what is left the next one tells.
func (c *circuit) deliver() {
	for range 4 {
		if !c.pending.Load() || !c.delivering.TryLock() {
			return
		}
		c.tell()
	}
}

func (c *circuit) tell() {
	defer c.delivering.Unlock()
	for _, e := range c.take() {
		c.limiter.circuitChanged(e)
	}
}

func (c *circuit) take() []CircuitEvent {
	c.mu.Lock()
	defer c.mu.Unlock()
	events := c.events
	c.events = nil
	c.pending.Store(false)
	return events
}
