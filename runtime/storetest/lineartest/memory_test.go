package lineartest

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

// TestMemory has eight goroutines ask one store in memory. The clock that the
// callers set lets others run in the middle of a decision, now and then for so
// long that a lock goes to who waits for it and not to who was quicker.
func TestMemory(t *testing.T) {
	clock := storetest.NewClock(time.Now().UnixMicro())
	var reads atomic.Int64
	busy := func() time.Time {
		runtime.Gosched()
		if reads.Add(1)%16 == 0 {
			time.Sleep(1200 * time.Microsecond)
		}
		return clock.Now()
	}
	s := stores{memory.New(), memory.New(memory.WithClock(busy)), clock}
	defer s.real.Close()
	defer s.given.Close()
	eachPlan(t, func(p plan) []event {
		events, err := play(p, s, 0, callers, counted(), together(callers))
		if err != nil {
			t.Fatal(err)
		}
		return events
	})
}
