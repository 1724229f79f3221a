package main

import (
	"slices"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// The load of the picture, and the rules that meet it.
const (
	loadLimit = 30
	loadBurst = 15
	loadEnd   = 6 * time.Minute

	loadWindow = time.Minute
)

// stream is calls at a constant pace, from one time to before another.
type stream struct{ from, to, every time.Duration }

// streams are a trickle, whose first call opens a fixed window at 0:20; two
// bursts about the end of that window; two about the end of a minute of the
// clock; and twice the limit for a while.
var streams = []stream{
	{20 * time.Second, loadEnd, 12 * time.Second},
	{72 * time.Second, 80 * time.Second, 250 * time.Millisecond},
	{80*time.Second + 125*time.Millisecond, 88 * time.Second, 250 * time.Millisecond},
	{172 * time.Second, 180 * time.Second, 250 * time.Millisecond},
	{180 * time.Second, 188 * time.Second, 250 * time.Millisecond},
	{4 * time.Minute, 320 * time.Second, time.Second},
}

// arrivals are the times of all calls, since the epoch.
func arrivals() []time.Duration {
	var all []time.Duration
	for _, s := range streams {
		for at := s.from; at < s.to; at += s.every {
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return all
}

// loadRules are the rules of the picture, by row.
func loadRules() []*ratelimit.Rule {
	all := everyKind(loadLimit)
	for _, r := range all {
		if r.Algorithm == ratelimit.TokenBucket || r.Algorithm == ratelimit.LeakyBucket {
			r.Burst = loadBurst
		}
	}
	return all
}

// admitted are the times at which calls go that r lets pass: at once or, where
// they queue, at their turn.
func admitted(r *ratelimit.Rule) []time.Duration {
	s := newSimulation(0)
	defer s.close()
	var goes []time.Duration
	for _, at := range arrivals() {
		s.Set(epoch.Add(at).UnixMicro())
		if d := s.call(r); d.Allowed {
			goes = append(goes, at+d.Delay)
		}
	}
	return goes
}

// perBin counts times in intervals of one length.
func perBin(times []time.Duration, bin time.Duration) []int {
	counts := make([]int, loadEnd/bin)
	for _, at := range times {
		if i := int(at / bin); i < len(counts) {
			counts[i]++
		}
	}
	return counts
}

// withinLast returns, for each bin, the most calls that went in a window which
// ends in it. A window holds one of its ends.
func withinLast(window time.Duration, times []time.Duration, bin time.Duration) []int {
	most := make([]int, loadEnd/bin)
	for i := range most {
		end := time.Duration(i) * bin
		most[i] = between(times, end-window, end)
	}
	for _, at := range times {
		if i := int(at / bin); i < len(most) {
			most[i] = max(most[i], between(times, at-window, at))
		}
	}
	return most
}

// between counts times after one and up to another.
func between(times []time.Duration, after, to time.Duration) int {
	n := 0
	for _, at := range times {
		if after < at && at <= to {
			n++
		}
	}
	return n
}
