package storetest

import (
	"testing"
	"time"
)

func TestAdmittedMost(t *testing.T) {
	for _, c := range []struct {
		name  string
		times []int64
		want  int
		begin int64
	}{
		{"none", nil, 0, 0},
		{"one", []int64{5}, 1, 5},
		{"a window apart", []int64{0, 10, 20}, 1, 0},
		{"less than a window apart", []int64{0, 9, 18}, 2, 0},
		{"the fullest is in the middle", []int64{0, 20, 22, 29, 30, 31, 60}, 4, 22},
		{"equal times", []int64{7, 7, 7, 17}, 3, 7},
		{"any order", []int64{29, 0, 31, 22, 30}, 4, 22},
	} {
		t.Run(c.name, func(t *testing.T) {
			var a Admitted
			for _, at := range c.times {
				a.Add(at, 1)
			}
			calls, begin := a.Most(10 * time.Microsecond)
			if calls != c.want || begin != c.begin {
				t.Errorf("got %d from %d, want %d from %d", calls, begin, c.want, c.begin)
			}
		})
	}
}

// TestFirst tests the search that RetryAfter and ResetAfter rest on.
func TestFirst(t *testing.T) {
	for _, want := range []int64{0, 1, 2, 3, 4, 5, 7, 8, 9, 1000, 1<<40 - 1, 1 << 40, 1<<40 + 1} {
		got := first(func(after int64) bool { return after >= want })
		if got.Microseconds() != want {
			t.Errorf("first that is at least %d: %v", want, got.Microseconds())
		}
	}
}
