package main

import (
	"errors"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

func newSeries(t *testing.T) *series {
	t.Helper()
	l := newLab(t)
	rows, err := allRows(l, options{schedule: schedule{slice: 5 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	return &series{lab: l, rows: rows, schedule: schedule{seed: 1, slice: 5 * time.Millisecond, rounds: 1, every: 1, budget: time.Minute, before: 1000},
		order: newOrder(1), say: t.Logf}
}

// Every row decides every job as it should. throttled gives up a hot key that
// several callers want.
func TestRows(t *testing.T) {
	s := newSeries(t)
	for _, c := range s.rows {
		for j := range jobs {
			for _, n := range []int{1, 16} {
				at := cell{j, n}
				if !c.joins(at, true) || c.whole != nil {
					continue
				}
				_, err := s.measure(c, at)
				contended := c.name == nameThrottled && n > 1
				if err != nil && !contended {
					t.Errorf("%s, %v: %v", c.name, at, err)
				}
			}
		}
	}
}

func TestRowsInThisProcess(t *testing.T) {
	s := newSeries(t)
	found, err := s.inProcess()
	if err != nil {
		t.Fatal(err)
	}
	if faults := found.faults(); faults != "" {
		t.Error(faults)
	}
	for _, row := range []string{nameToken, nameGoLimiter, nameLocal} {
		if n := len(found.nanoseconds(row, refused)); n != 1 {
			t.Errorf("%s has %d samples", row, n)
		}
	}
}

func TestCrowds(t *testing.T) {
	found, err := crowds([]int{100, 2000}, 1000, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range found {
		if len(all) != 2 || all[1].bytes < 40 || all[1].bytes > 1000 || all[1].ns <= 0 {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// The names that goals and tables ask for are those of rows.
func TestNames(t *testing.T) {
	s := newSeries(t)
	known := map[string]bool{}
	for _, c := range append(s.rows, inProcessRows(s.lab)...) {
		known[c.name] = true
	}
	wanted := append([]string{nameNoCache, nameNeither, nameAsIs, nameSingle, nameAcquire, nameByHand, nameNothing, sliding.name, three.name, nameLocalAdmit,
		nameTokenStore, nameSlidingStore, nameSliding, nameHand, nameWrapper}, plotted...)
	for _, name := range wanted {
		if !known[name] {
			t.Errorf("there is no row %q", name)
		}
	}
}

func TestVerdict(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		sample load.Sample
		job    job
		fault  string
	}{
		{load.Sample{Calls: 3, Admitted: 3}, admitted, ""},
		{load.Sample{Calls: 3, Admitted: 3}, random, ""},
		{load.Sample{Calls: 3}, refused, ""},
		{load.Sample{Calls: 3, Admitted: 2}, admitted, "1 of 3 calls were refused"},
		{load.Sample{Calls: 3, Admitted: 1}, refused, "1 of 3 calls passed"},
		{load.Sample{Calls: 3, Admitted: 2, Failed: 1, Err: broken}, admitted, "1 of 3 calls failed: broken"},
	} {
		got := ""
		if err := verdict(&test.sample, test.job); err != nil {
			got = err.Error()
		}
		if got != test.fault {
			t.Errorf("%v: got %q, want %q", test.job, got, test.fault)
		}
	}
}

func TestFirstCalls(t *testing.T) {
	answers := func(all ...bool) *subject {
		return &subject{call: func(*load.Caller) (bool, error) {
			first := all[0]
			all = all[1:]
			return first, nil
		}}
	}
	for _, test := range []struct {
		answers []bool
		job     job
		well    bool
	}{
		{[]bool{true}, admitted, true},
		{[]bool{false}, admitted, false},
		{[]bool{true, false}, refused, true},
		{[]bool{true, true}, refused, false},
		{[]bool{false, false}, refused, false},
	} {
		if err := answers(test.answers...).ready(test.job); (err == nil) != test.well {
			t.Errorf("%v, %v: %v", test.answers, test.job, err)
		}
	}
}
