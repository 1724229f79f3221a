package main

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// someResults have three rounds, the second without the row "rare".
func someResults() *results {
	base, rare := &contender{name: namePlain}, &contender{name: "rare"}
	r := newResults([]*contender{base, rare, {name: "bad"}}, callers, namePlain)
	at := cell{admitted, 1}
	for round, f := range []float64{100, 1000, 400} {
		r.begin()
		r.add(base, at, sample{rate: f, p50: 10, p99: 20}, nil)
		if round != 1 {
			r.add(rare, at, sample{rate: 3 * f, p50: 1, p99: 2, mallocs: 4.001}, nil)
		}
	}
	r.add(&contender{name: "bad"}, at, sample{}, errors.New("no answer"))
	late := errors.New("late")
	for i, err := range []error{late, nil, late} {
		r.rounds = 1 + i
		r.add(rare, cell{refused, 1}, sample{rate: 500}, err)
	}
	return r
}

func TestRatiosAreWithinRounds(t *testing.T) {
	r := someResults()
	got := r.ratios("rare", namePlain, cell{admitted, 1}, speed)
	if len(got) != 2 || got[0] != 3 || got[1] != 3 {
		t.Errorf("got %v, where the two rounds with both have 3", got)
	}
	if got := r.ratios("rare", "bad", cell{admitted, 1}, speed); got != nil {
		t.Errorf("got %v to a row that has failed", got)
	}
}

func TestTables(t *testing.T) {
	r := someResults()
	for _, test := range []struct{ name, text, want string }{
		{"rates", r.rates(admitted), "| rare | 0.8 k (3.00x) |  |  |  |"},
		{"base", r.rates(admitted), "| " + namePlain + " | 0.4 k |  |  |  |"},
		{"failed", r.rates(admitted), "| bad | fails |  |  |  |"},
		{"waits", r.waits(admitted), "| rare | 1.00, 2.00 |  |  |  |"},
		{"allocations", r.allocations(), "| rare | 4.00 | 0.00, 2 of 3 fail |"},
		{"faults", r.faults(), "- bad, one hot key, admitted, 1 caller, in 1 of 1 slices: no answer"},
		{"failed at times", r.rates(refused), "| rare | 0.5 k, 2 of 3 fail |  |  |  |"},
	} {
		if !strings.Contains(test.text, test.want) {
			t.Errorf("%s: no %q in\n%s", test.name, test.want, test.text)
		}
	}
	if text := r.rates(random); strings.Contains(text, "rare") {
		t.Errorf("a row stands where it has no figure:\n%s", text)
	}
}

func TestQuantiles(t *testing.T) {
	numbers := []float64{4, 1, 3, 2, 5}
	for part, want := range map[float64]float64{0: 1, 0.25: 2, 0.5: 3, 0.625: 3.5, 1: 5} {
		if got := quantile(numbers, part); got != want {
			t.Errorf("%v: got %v, want %v", part, got, want)
		}
	}
	if !math.IsNaN(median(nil)) {
		t.Error("nothing has a median")
	}
}

func TestGoals(t *testing.T) {
	for _, test := range []struct {
		goal
		want string
	}{
		{goal{least: 2, values: []float64{1, 2, 3}}, "yes"},
		{goal{least: 2, values: []float64{1, 1, 3}}, "**no**"},
		{goal{most: 0.5, values: []float64{0.4}}, "yes"},
		{goal{most: 0.5, values: []float64{0.6}}, "**no**"},
		{goal{none: true, values: []float64{0}}, "yes"},
		{goal{none: true, values: []float64{1}}, "**no**"},
		{goal{least: 2}, "not measured"},
	} {
		if got := test.verdict(); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.goal, got, test.want)
		}
	}
}

func TestPictureIsXML(t *testing.T) {
	elements := 0
	for d := xml.NewDecoder(strings.NewReader(someResults().picture("A machine"))); ; elements++ {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if elements < 100 {
		t.Errorf("the picture has %d elements and texts, is it empty?", elements)
	}
}

func TestParseRun(t *testing.T) {
	s, err := parseRun("\"test\",\"rps\",\"avg_latency_ms\",\"p50_latency_ms\",\"p99_latency_ms\"\n\"x\",\"1000.5\",\"3\",\"0.25\",\"2.5\"\n")
	if want := (sample{rate: 1000.5, p50: 250, p99: 2500}); err != nil || s != want {
		t.Errorf("got %+v, %v", s, err)
	}
	if _, err := parseRun("nonsense"); err == nil {
		t.Error("nonsense is a run")
	}
}
