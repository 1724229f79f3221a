package load

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

func TestRunCounts(t *testing.T) {
	broken := errors.New("broken")
	var made atomic.Int64
	s := Run(Plan{Callers: 4, Seed: 1, Warm: time.Millisecond, Measure: 20 * time.Millisecond}, func(c *Caller) (bool, error) {
		made.Add(1)
		time.Sleep(100 * time.Microsecond)
		switch c.Below(3) {
		case 0:
			return true, nil
		case 1:
			return false, nil
		}
		return true, broken
	})
	if s.Admitted == 0 || s.Failed == 0 || s.Admitted+s.Failed >= s.Calls || s.Err != broken {
		t.Errorf("%d calls, of which %d passed and %d failed: %v", s.Calls, s.Admitted, s.Failed, s.Err)
	}
	if s.Calls > made.Load() || s.Elapsed < 20*time.Millisecond {
		t.Errorf("%d of %d calls count, in %v", s.Calls, made.Load(), s.Elapsed)
	}
	if s.Latency.total != s.Calls || s.Latency.Quantile(0) < 90*time.Microsecond {
		t.Errorf("%d calls are timed, the shortest took %v", s.Latency.total, s.Latency.Quantile(0))
	}
}

func TestACallThatTakesLonger(t *testing.T) {
	s := Run(Plan{Callers: 1, Measure: time.Millisecond}, func(*Caller) (bool, error) {
		time.Sleep(20 * time.Millisecond)
		return true, nil
	})
	if s.Calls == 0 {
		t.Error("no call counts")
	}
}

func TestSomeAreTimed(t *testing.T) {
	const of = 16
	s := Run(Plan{Callers: 1, Measure: 5 * time.Millisecond, TimedOf: of}, func(*Caller) (bool, error) { return true, nil })
	if timed := s.Latency.total; timed < s.Calls/of-1 || timed > s.Calls/of+1 {
		t.Errorf("%d of %d calls are timed", timed, s.Calls)
	}
}

func TestBelow(t *testing.T) {
	const n = 10
	var seen [n]int
	c := &Caller{random: 42}
	for range 1000 * n {
		seen[c.Below(n)]++
	}
	for i, times := range seen {
		if times < 800 || times > 1200 {
			t.Errorf("%d came %d times of %d", i, times, 1000*n)
		}
	}
	if a, b := (&Caller{random: 7}).Below(1<<30), (&Caller{random: 7}).Below(1<<30); a != b {
		t.Errorf("the same seed gives %d and %d", a, b)
	}
}
