package main

import (
	"math"
	"slices"
)

// results are the samples of all rounds.
type results struct {
	names   []string
	callers []int
	base    string // the row whose figures others are given in, too
	rounds  int
	by      map[place]*seen
}

// place is a row's figure in a cell.
type place struct {
	row string
	at  cell
}

// seen is what the rounds have shown at a place. Rounds without a sample there
// have none in the list.
type seen struct {
	samples map[int]sample // by round
	faults  int            // slices that failed
	fault   error          // of one of them
}

func newResults(rows []*contender, callers []int, base string) *results {
	r := &results{callers: callers, base: base, by: map[place]*seen{}}
	for _, c := range rows {
		r.names = append(r.names, c.name)
	}
	return r
}

// begin begins a round.
func (r *results) begin() { r.rounds++ }

func (r *results) add(c *contender, at cell, one sample, err error) {
	s := r.of(c.name, at)
	if err != nil {
		s.faults++
		s.fault = err
		return
	}
	s.samples[r.rounds-1] = one
}

func (r *results) of(row string, at cell) *seen {
	p := place{row, at}
	if r.by[p] == nil {
		r.by[p] = &seen{samples: map[int]sample{}}
	}
	return r.by[p]
}

// value is one number of a sample.
type value func(sample) float64

func speed(s sample) float64 { return s.rate }
func p50(s sample) float64   { return s.p50 }
func p99(s sample) float64   { return s.p99 }

// mallocs leaves out what the measuring itself allocates now and then.
func mallocs(s sample) float64 { return math.Round(20*s.mallocs) / 20 }

// all are the values at a place.
func (r *results) all(row string, at cell, v value) []float64 {
	var all []float64
	for _, one := range r.of(row, at).samples {
		all = append(all, v(one))
	}
	return all
}

// ratios are those of two rows within each round that has both.
func (r *results) ratios(row, to string, at cell, v value) []float64 {
	var all []float64
	others := r.of(to, at).samples
	for round, one := range r.of(row, at).samples {
		if other, both := others[round]; both {
			all = append(all, v(one)/v(other))
		}
	}
	return all
}

// best is the row whose median is the highest.
func (r *results) best(rows []string, at cell) string {
	best, most := rows[0], math.Inf(-1)
	for _, row := range rows {
		if m := median(r.all(row, at, speed)); m > most {
			best, most = row, m
		}
	}
	return best
}

// quantile is that of numbers, not a number where there are none.
func quantile(numbers []float64, part float64) float64 {
	if len(numbers) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(numbers))
	at := part * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}

func median(numbers []float64) float64 { return quantile(numbers, 0.5) }
