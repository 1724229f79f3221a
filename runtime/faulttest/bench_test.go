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
// timers of the deadline, which run at the same time. Each figure is the median of
// all rounds.
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
	var calls, timers, above []time.Duration
	for b.Loop() {
		l := ratelimit.New(r.store, ratelimit.WithLogger(slog.New(slog.DiscardHandler))) // whose circuit is closed
		var call, timer time.Duration
		var both sync.WaitGroup
		both.Go(func() { call = slowest(func() { l.Acquire(context.Background(), requests...) }) })
		both.Go(func() { timer = slowest(func() { <-time.NewTimer(timeout).C }) })
		both.Wait()
		calls, timers, above = append(calls, call), append(timers, timer), append(above, call-timer)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(median(calls)), "ms-slowest-call")
	b.ReportMetric(milliseconds(median(timers)), "ms-slowest-timer")
	b.ReportMetric(milliseconds(median(above)), "ms-above")
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
// that asks a Limiter first. Both are attacked at once, so that what else the
// machine does delays both, and each figure is the median of a few seconds.
func BenchmarkAttack(b *testing.B) {
	for _, a := range attacks {
		b.Run(a.name, func(b *testing.B) {
			r := newRig(b, fault{}, options{batch: 64, deny: ratelimit.DefaultDenyAge})
			defer r.close()
			await(b, "Ready", func() bool { return r.limiter.Ready(b.Context()) == nil })
			var without, with, above []time.Duration // of each second
			for b.Loop() {
				for range 5 {
					free, bound := r.attacked(a)
					without, with, above = append(without, free), append(with, bound), append(above, bound-free)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(milliseconds(median(without)), "ms-p99-unlimited")
			b.ReportMetric(milliseconds(median(with)), "ms-p99-limited")
			b.ReportMetric(milliseconds(median(above)), "ms-above")
		})
	}
}

// attacked returns the 99th percentiles of a second.
func (r *rig) attacked(a attack) (without, with time.Duration) {
	calls := a.lasting(time.Second)
	free, bound := make([]time.Duration, calls), make([]time.Duration, calls)
	both := attack{every: a.every / 2}
	both.drive(2*calls, func(i int, due time.Time) {
		if i%2 == 0 {
			serve()
			free[i/2] = time.Since(due)
			return
		}
		if d, err := r.limiter.Acquire(context.Background(), a.requests(i/2)...); err == nil && d.Allowed {
			serve()
		}
		bound[i/2] = time.Since(due)
	})
	return p99(free), p99(bound)
}

// serve is what the service does for a call.
func serve() { time.Sleep(time.Millisecond) }

func p99(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[(len(all)-1)*99/100]
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
