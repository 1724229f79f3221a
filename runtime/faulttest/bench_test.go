package faulttest

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// BenchmarkSlowestCall measures how long the slowest of many calls takes while
// a failure lasts and no circuit is open, beside the slowest of as many bare
// timers of the deadline.
func BenchmarkSlowestCall(b *testing.B) {
	for _, f := range faults {
		b.Run(f.name, func(b *testing.B) {
			r := newRig(b, f, options{batch: 64, deny: ratelimit.DefaultDenyAge})
			defer r.close()
			await(b, "Ready", func() bool { return r.limiter.Ready(b.Context()) == nil })
			f.begin(r)
			defer f.end(r)
			r.waitFor(b, policies[0].requests("hot", hotLimit))
		})
	}
}

func (r *rig) waitFor(b *testing.B, requests []ratelimit.Request) {
	var calls, timers time.Duration
	for b.Loop() {
		l := ratelimit.New(r.store, ratelimit.WithLogger(slog.New(slog.DiscardHandler))) // whose circuit is closed
		calls = max(calls, slowest(func() { l.Acquire(context.Background(), requests...) }))
		timers = max(timers, slowest(func() { <-time.NewTimer(timeout).C }))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(calls), "ms-slowest-call")
	b.ReportMetric(milliseconds(timers), "ms-slowest-timer")
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// slowest is how long the slowest of many goroutines takes for f.
func slowest(f func()) (most time.Duration) {
	var mu sync.Mutex
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			began := time.Now()
			f()
			took := time.Since(began)
			mu.Lock()
			defer mu.Unlock()
			most = max(most, took)
		})
	}
	group.Wait()
	return most
}

// BenchmarkAttack measures the 99th percentile of the time that a service takes
// for the calls of an attack, from when they are due: one without limits, and one
// that asks a Limiter first. It is the median of a few seconds.
func BenchmarkAttack(b *testing.B) {
	for _, a := range attacks {
		b.Run(a.name, func(b *testing.B) {
			r := newRig(b, fault{}, options{batch: 64, deny: ratelimit.DefaultDenyAge})
			defer r.close()
			await(b, "Ready", func() bool { return r.limiter.Ready(b.Context()) == nil })
			var free, bound []time.Duration // of each second
			for b.Loop() {
				for range 3 {
					free = append(free, a.p99(func(int) { serve() }))
					bound = append(bound, a.p99(func(i int) {
						if d, err := r.limiter.Acquire(context.Background(), a.requests(i)...); err == nil && d.Allowed {
							serve()
						}
					}))
				}
			}
			slices.Sort(free)
			slices.Sort(bound)
			without, with := free[len(free)/2], bound[len(bound)/2]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(without), "ms-p99-unlimited")
			b.ReportMetric(milliseconds(with), "ms-p99-limited")
			b.ReportMetric(milliseconds(with-without), "ms-above")
		})
	}
}

// serve is what the service does for a call.
func serve() { time.Sleep(time.Millisecond) }

// p99 is the 99th percentile of how long the calls of a second take that come at
// the attack's rate.
func (a attack) p99(call func(i int)) time.Duration {
	took := make([]time.Duration, a.lasting(time.Second))
	a.drive(len(took), func(i int, due time.Time) {
		call(i)
		took[i] = time.Since(due)
	})
	slices.Sort(took)
	return took[(len(took)-1)*99/100]
}
