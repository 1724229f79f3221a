package load

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Call makes one call for a caller, and tells whether it was admitted.
type Call func(c *Caller) (admitted bool, err error)

// Plan is who calls, and for how long.
type Plan struct {
	Callers int
	Seed    uint64        // of the callers' random numbers
	Warm    time.Duration // before anything counts
	Measure time.Duration // or until the end of the first call, if that is later
	TimedOf int           // of so many calls one is timed; 0 is each
}

// Sample is what came of a Plan.
type Sample struct {
	Calls, Admitted, Failed int64

	Err     error // one of those of the Failed
	Elapsed time.Duration
	Latency Histogram
	Mallocs uint64 // of the whole process
}

// Rate is calls a second.
func (s *Sample) Rate() float64 { return float64(s.Calls) / s.Elapsed.Seconds() }

// Caller is one of those who call.
type Caller struct {
	Sample
	random uint64
	phase  int32
}

const (
	warming int32 = iota
	measuring
	ended
)

// Below is the next of the caller's random numbers, from 0 to n-1. (Steele,
// Lea, Flood, "Fast splittable pseudorandom number generators", 2014.)
func (c *Caller) Below(n int) int {
	c.random += 0x9e3779b97f4a7c15
	z := c.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	high, _ := bits.Mul64(z^z>>31, uint64(n))
	return int(high)
}

// crew is all callers of a Plan.
type crew struct {
	phase atomic.Int32
	once  sync.Once
	some  chan struct{} // is closed when a call has been counted
	group sync.WaitGroup
}

// Run carries out p.
func Run(p Plan, call Call) *Sample {
	callers := make([]Caller, p.Callers)
	all := crew{some: make(chan struct{})}
	for i := range callers {
		callers[i].random = p.Seed + uint64(i)<<32
		all.group.Go(func() { callers[i].loop(&all, max(p.TimedOf, 1), call) })
	}
	time.Sleep(p.Warm)
	before := mallocs()
	start := time.Now()
	all.phase.Store(measuring)
	time.Sleep(p.Measure)
	<-all.some
	all.phase.Store(ended)
	all.group.Wait()
	sum := &Sample{Elapsed: time.Since(start), Mallocs: mallocs() - before}
	for i := range callers {
		sum.add(&callers[i])
	}
	return sum
}

func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

func (s *Sample) add(c *Caller) {
	if c.phase != measuring {
		return
	}
	s.Calls += c.Calls
	s.Admitted += c.Admitted
	s.Failed += c.Failed
	s.Latency.Merge(&c.Latency)
	if c.Err != nil {
		s.Err = c.Err
	}
}

// loop calls until the end. What has begun while warming does not count.
func (c *Caller) loop(all *crew, timedOf int, call Call) {
	for n := 0; ; n++ {
		switch now := all.phase.Load(); {
		case now == ended:
			return
		case now != c.phase:
			c.phase, c.Sample = now, Sample{}
		}
		if n%timedOf == 0 {
			c.timed(call)
		} else {
			c.count(call(c))
		}
		if c.Calls == 1 && c.phase == measuring {
			all.once.Do(func() { close(all.some) })
		}
	}
}

func (c *Caller) timed(call Call) {
	start := time.Now()
	admitted, err := call(c)
	c.Latency.Add(time.Since(start))
	c.count(admitted, err)
}

func (c *Caller) count(admitted bool, err error) {
	c.Calls++
	switch {
	case err != nil:
		c.Failed++
		c.Err = err
	case admitted:
		c.Admitted++
	}
}
