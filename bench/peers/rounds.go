package main

import (
	"math/rand/v2"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

// sample is what a slice has shown.
type sample struct {
	rate     float64 // calls a second
	p50, p99 float64 // microseconds
	mallocs  float64 // a call
}

func sampleOf(s *load.Sample) sample {
	us := func(part float64) float64 { return float64(s.Latency.Quantile(part)) / float64(time.Microsecond) }
	return sample{s.Rate(), us(0.5), us(0.99), float64(s.Mallocs) / float64(s.Calls)}
}

// schedule is how long and how often is measured.
type schedule struct {
	seed   uint64
	slice  time.Duration
	rounds int
	every  int           // of so many rounds one is of all contenders
	budget time.Duration // after which no further round begins
	before int           // calls of random keys that do not count
}

// Of so many calls one is timed: primes, that do not keep step with what a limiter
// does every so many calls.
const (
	someRefusals = 61
	someLocal    = 61
)

// series measures contenders in rounds.
type series struct {
	*lab
	schedule
	rows  []*contender
	order *rand.Rand
	say   func(format string, args ...any)
}

// run fills in results. Whatever the number of rounds, the first one is of all
// contenders.
func (s *series) run() *results {
	found := newResults(s.rows, callers, namePlain)
	end := time.Now().Add(s.budget)
	for i := range s.rounds {
		start := time.Now()
		if i > 0 && start.After(end) {
			s.say("the time is up after %d of %d rounds", i, s.rounds)
			break
		}
		found.begin()
		s.round(found, i%s.every == 0)
		s.say("round %d of %d: %v", i+1, s.rounds, time.Since(start).Round(time.Second))
	}
	return found
}

// warm lets every contender dial and load what it needs: a round that does not
// count.
func (s *series) warm() {
	slice := s.slice
	s.slice = slice / 8
	s.round(newResults(s.rows, callers, namePlain), true)
	s.slice = slice
}

// round measures every contender once in each cell where it is to be.
func (s *series) round(found *results, all bool) {
	for _, at := range s.shuffled(cells()) {
		var rows []*contender
		for _, c := range s.rows {
			if c.joins(at, all) {
				rows = append(rows, c)
			}
		}
		s.order.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, c := range rows {
			one, err := s.measure(c, at)
			found.add(c, at, one, err)
		}
	}
}

func (s *series) shuffled(all []cell) []cell {
	s.order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// measure makes one slice.
func (s *series) measure(c *contender, at cell) (sample, error) {
	if c.whole != nil {
		return c.whole(at)
	}
	if err := s.empty(); err != nil {
		return sample{}, err
	}
	subject, err := c.open(at.job)
	if err != nil {
		return sample{}, err
	}
	defer subject.close()
	if err := subject.ready(at.job); err != nil {
		return sample{}, err
	}
	got := load.Run(s.plan(c, at), subject.call)
	if err := verdict(got, at.job); err != nil {
		return sample{}, err
	}
	return sampleOf(got), nil
}

func (s *series) plan(c *contender, at cell) load.Plan {
	p := load.Plan{Callers: at.callers, Seed: s.seed, Warm: s.slice / 6, Measure: s.slice}
	if c.often && at == (cell{admitted, 1}) {
		p.Measure *= 3 // it is mostly wake-ups, which vary from one moment to the next
	}
	if c.fast && at.job == refused {
		p.TimedOf = someRefusals
	}
	return p
}
