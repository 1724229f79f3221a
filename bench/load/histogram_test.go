package load

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []time.Duration
	var whole Histogram
	for range 4 {
		var part Histogram
		for range 5000 {
			d := time.Duration(random.ExpFloat64() * float64(time.Millisecond))
			all = append(all, d)
			part.Add(d)
		}
		whole.Merge(&part)
	}
	slices.Sort(all)
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.999} {
		got, want := whole.Quantile(q), all[int(q*float64(len(all)))]
		if ratio := float64(got) / float64(want); ratio < 0.96 || ratio > 1.04 {
			t.Errorf("quantile %v: got %v, want %v", q, got, want)
		}
	}
}

func TestPlaces(t *testing.T) {
	last := -1
	for _, d := range []uint64{0, 1, 31, 32, 33, 63, 64, 127, 128, 1 << 20, 1<<20 + 1<<15, 1<<most - 1, 1 << 60} {
		at := place(d)
		if at < last || at >= places {
			t.Errorf("%d is at %d, after %d, of %d", d, at, last, places)
		}
		last = at
		if middle := uint64(length(at)); d < 1<<most && (middle > d+d/steps+1 || middle+d/steps+1 < d) {
			t.Errorf("the place of %d stands for %d", d, middle)
		}
	}
}

func TestNothingCounted(t *testing.T) {
	if got := new(Histogram).Quantile(0.5); got != 0 {
		t.Errorf("got %v", got)
	}
}
