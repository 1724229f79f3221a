package main

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// The calls of the sample: one a second, from second 50 of a minute on.
const (
	sampleLimit = 3
	sampleStart = 50 * time.Second
	sampleCalls = 5
)

// sample says what each algorithm answers to the same few calls.
func sample() string {
	t := page.Table{Head: []string{"rule"}}
	for i := range sampleCalls {
		t.Head = append(t.Head, clockTime(sampleStart+time.Duration(i)*time.Second))
	}
	t.Head = append(t.Head, "ResetAfter then")
	for _, r := range everyKind(sampleLimit) {
		t.Add(sampleRow(r)...)
	}
	return t.Numbers()
}

func sampleRow(r *ratelimit.Rule) []string {
	s := newSimulation(sampleStart)
	defer s.close()
	row := []string{title(r)}
	var d ratelimit.Decision
	for i := range sampleCalls {
		if i > 0 {
			s.Add(time.Second)
		}
		d = s.call(r)
		row = append(row, answer(d))
	}
	return append(row, d.ResetAfter.String())
}

func answer(d ratelimit.Decision) string {
	switch {
	case !d.Allowed:
		return fmt.Sprintf("**no, %v**", d.RetryAfter)
	case d.Delay > 0:
		return fmt.Sprintf("%d left, in %v", d.Remaining, d.Delay)
	}
	return fmt.Sprintf("%d left", d.Remaining)
}

func clockTime(d time.Duration) string {
	return fmt.Sprintf("%d:%02d", d/time.Minute, d%time.Minute/time.Second)
}
