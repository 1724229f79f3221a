package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// rates is the table of a job: calls a second, and how many times as many as
// the base's.
func (r *results) rates(j job) string {
	t := page.Table{Head: []string{"calls a second"}}
	for _, n := range r.callers {
		t.Head = append(t.Head, countOf(n, "caller"))
	}
	for _, row := range r.names {
		if cells := r.rowOf(row, j, r.rate); cells != nil {
			t.Add(append([]string{row}, cells...)...)
		}
	}
	return t.Numbers()
}

// waits is the table of how long calls take.
func (r *results) waits(j job) string {
	t := page.Table{Head: []string{"half of all calls, 99 of 100 (µs)"}}
	for _, n := range r.callers {
		t.Head = append(t.Head, countOf(n, "caller"))
	}
	for _, row := range r.names {
		if cells := r.rowOf(row, j, r.wait); cells != nil {
			t.Add(append([]string{row}, cells...)...)
		}
	}
	return t.Numbers()
}

func countOf(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// rowOf returns nil for a row that the job does not have.
func (r *results) rowOf(row string, j job, write func(row string, at cell) string) []string {
	var cells []string
	for _, n := range r.callers {
		cells = append(cells, write(row, cell{j, n}))
	}
	if strings.Join(cells, "") == "" {
		return nil
	}
	return cells
}

func (r *results) rate(row string, at cell) string {
	return r.unlessFailed(row, at, func() string {
		text := perSecondText(median(r.all(row, at, speed)))
		if to := r.ratios(row, r.base, at, speed); len(to) > 0 && row != r.base {
			text += fmt.Sprintf(" (%sx)", short(median(to)))
		}
		return text
	})
}

func (r *results) wait(row string, at cell) string {
	return r.unlessFailed(row, at, func() string {
		return short(median(r.all(row, at, p50))) + ", " + short(median(r.all(row, at, p99)))
	})
}

// unlessFailed is empty where nothing was measured. Slices that have failed have
// no part in the figure, but are told of.
func (r *results) unlessFailed(row string, at cell, write func() string) string {
	s := r.of(row, at)
	switch {
	case s.fault == nil && len(s.samples) == 0:
		return ""
	case s.fault == nil:
		return write()
	case len(s.samples) == 0:
		return "fails"
	}
	return fmt.Sprintf("%s, %d of %d fail", write(), s.faults, s.faults+len(s.samples))
}

// faults lists what has failed, a line each.
func (r *results) faults() string {
	var lines []string
	for p, s := range r.by {
		if s.fault != nil {
			lines = append(lines, fmt.Sprintf("- %s, %v, in %d of %d slices: %v\n", p.row, p.at, s.faults, s.faults+len(s.samples), s.fault))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// allocations is the table of one caller's, which no other caller disturbs.
func (r *results) allocations() string {
	t := page.Table{Head: []string{"allocations a call", "admitted", "refused"}}
	for _, row := range r.names {
		cells := []string{row}
		for _, j := range []job{admitted, refused} {
			cells = append(cells, r.unlessFailed(row, cell{j, 1}, func() string {
				return short(median(r.all(row, cell{j, 1}, mallocs)))
			}))
		}
		if cells[1]+cells[2] != "" {
			t.Add(cells...)
		}
	}
	return t.Numbers()
}
