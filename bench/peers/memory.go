package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

// goroutines are the callers of what decides in this process.
var goroutines = []int{1, 16}

// inProcess measures rows in rounds. Their state is the same from round to
// round: every key has been used.
func (s *series) inProcess() (*results, error) {
	rows := inProcessRows(s.lab)
	found := newResults(rows, goroutines, nameGoLimiter)
	if err := s.empty(); err != nil {
		return nil, err
	}
	for j := range jobs {
		open, err := s.openAll(rows, j)
		if err == nil {
			s.compare(found, j, open)
		}
		for _, o := range open {
			o.subject.close()
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// opened is a contender with its state.
type opened struct {
	*contender
	subject *subject
}

func (s *series) openAll(rows []*contender, j job) (all []opened, err error) {
	for _, c := range rows {
		if c.only != nil && !c.only(cell{job: j}) {
			continue
		}
		subject, err := c.open(j)
		if err != nil {
			return all, err
		}
		all = append(all, opened{c, subject})
		if err := errors.Join(subject.ready(j), s.use(subject, j)); err != nil {
			return all, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return all, nil
}

// use makes calls before any that count.
func (s *series) use(of *subject, j job) error {
	if j != random {
		return nil
	}
	c := &load.Caller{}
	for range s.before {
		if _, err := of.call(c); err != nil {
			return err
		}
	}
	return nil
}

// nearlyAll is how many random calls leave few keys unused.
const nearlyAll = 4 * keyCount

func (s *series) compare(found *results, j job, all []opened) {
	for range s.rounds {
		found.begin()
		for _, n := range goroutines {
			s.order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, o := range all {
				p := load.Plan{Callers: n, Seed: s.seed, Warm: s.slice / 6, Measure: s.slice, TimedOf: someLocal}
				got := load.Run(p, o.subject.call)
				found.add(o.contender, cell{j, n}, sampleOf(got), verdict(got, j))
			}
		}
	}
	s.say("in this process, %v: done", j)
}

func newOrder(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// nanoseconds are what a call takes one caller.
func (r *results) nanoseconds(row string, j job) []float64 {
	var all []float64
	for _, perSecond := range r.all(row, cell{j, 1}, speed) {
		all = append(all, float64(time.Second)/perSecond)
	}
	return all
}
