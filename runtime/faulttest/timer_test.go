package faulttest

import (
	"sync"
	"sync/atomic"
	"time"
)

// timers measure how late the machine is by itself.
type timers struct {
	quit   chan struct{}
	group  sync.WaitGroup
	latest atomic.Int64
}

const watchers = 4

// watch has a few goroutines sleep for d again and again.
func watch(d time.Duration) *timers {
	t := &timers{quit: make(chan struct{})}
	for range watchers {
		t.group.Go(func() { t.run(d) })
	}
	return t
}

func (t *timers) run(d time.Duration) {
	for {
		began := time.Now()
		select {
		case <-time.After(d):
		case <-t.quit:
			return
		}
		late := int64(time.Since(began) - d)
		for last := t.latest.Load(); late > last && !t.latest.CompareAndSwap(last, late); last = t.latest.Load() {
		}
	}
}

// stop returns by how much the latest was late.
func (t *timers) stop() time.Duration {
	close(t.quit)
	t.group.Wait()
	return time.Duration(t.latest.Load())
}
