package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

func TestSuite(t *testing.T) {
	storetest.Suite{Open: open, Operations: true}.Run(t)
}

func open(t testing.TB, clock func() time.Time) ratelimit.Store {
	s := memory.New(memory.WithClock(clock))
	t.Cleanup(func() { s.Close() })
	return s
}

var (
	fixed = &ratelimit.Rule{Name: "fixed", Algorithm: ratelimit.FixedWindow, Limit: 5, Window: time.Minute}
	slide = &ratelimit.Rule{Name: "slide", Algorithm: ratelimit.SlidingWindow, Limit: 5, Window: time.Minute}
)

func item(r *ratelimit.Rule, key string) ratelimit.Item {
	return ratelimit.Item{Rule: r, Key: key, Cost: 1, Limit: r.Limit}
}

// ask decides about items and returns the batch, which is not to be released.
func ask(t testing.TB, s ratelimit.Store, items ...ratelimit.Item) *ratelimit.Batch {
	b := ratelimit.NewBatch()
	b.Items = append(b.Items, items...)
	if err := s.Do(context.Background(), b); err != nil {
		t.Errorf("Do: %v", err)
	}
	return b
}

func TestUnknown(t *testing.T) {
	s := memory.New()
	defer s.Close()
	bad := &ratelimit.Rule{Name: "bad", Algorithm: 200, Limit: 1, Window: time.Second}
	b := &ratelimit.Batch{Items: []ratelimit.Item{item(fixed, "k"), item(bad, "k")}}
	if err := s.Do(t.Context(), b); !errors.Is(err, ratelimit.ErrRule) {
		t.Errorf("an unknown algorithm: %v, want ErrRule", err)
	}
	b = &ratelimit.Batch{Op: 200, Items: []ratelimit.Item{item(fixed, "k")}}
	if err := s.Do(t.Context(), b); err == nil {
		t.Error("an unknown operation is no error")
	}
	if n := s.Len(); n != 0 {
		t.Errorf("%d buckets are left", n)
	}
}

func TestClosed(t *testing.T) {
	s := memory.New()
	ask(t, s, item(fixed, "k"))
	for range 2 {
		if err := s.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
	}
	if err := s.Ready(t.Context()); err == nil {
		t.Error("Ready of a closed store returned no error")
	}
	if n := s.Len(); n != 0 {
		t.Errorf("%d buckets are left after Close", n)
	}
}

func TestRefusalLeavesNoBucket(t *testing.T) {
	s := memory.New()
	defer s.Close()
	it := item(fixed, "k")
	it.Cost = fixed.Limit + 1
	ask(t, s, it)
	ask(t, s, item(slide, "other"), it)
	if n := s.Len(); n != 0 {
		t.Errorf("refused calls left %d buckets", n)
	}
}

// TestPartialGrantIsOneCall grants no more at once than one call may cost.
func TestPartialGrantIsOneCall(t *testing.T) {
	s := memory.New()
	defer s.Close()
	most := &ratelimit.Rule{Name: "most", Algorithm: ratelimit.SlidingWindow, Limit: 100_000, Window: time.Hour}
	for _, want := range []int64{10_000, 10_000, 3} {
		b := &ratelimit.Batch{Partial: true, Items: []ratelimit.Item{item(most, "k")}}
		b.Items[0].Cost = ratelimit.MaxCost
		if want == 3 {
			b.Items = append(b.Items, item(&ratelimit.Rule{Name: "three", Limit: 3, Window: time.Hour}, "k"))
			b.Items[1].Cost = ratelimit.MaxCost
		}
		if err := s.Do(t.Context(), b); err != nil || !b.Allowed || b.Granted != want || b.Items[0].Cost != ratelimit.MaxCost {
			t.Errorf("granted %d (%v, %v), want %d", b.Granted, b.Allowed, err, want)
		}
	}
}

// TestResetAndFullRefundLeaveNoBucket forget what was charged.
func TestResetAndFullRefundLeaveNoBucket(t *testing.T) {
	s := memory.New()
	defer s.Close()
	for a := ratelimit.FixedWindow; a <= ratelimit.LeakyBucket; a++ {
		charged := ask(t, s, item(ruleOf(a), "k"))
		b := &ratelimit.Batch{Op: ratelimit.OpRefund, Items: charged.Items}
		if err := s.Do(t.Context(), b); err != nil || !b.Items[0].Allowed {
			t.Errorf("%v: refund found %v, %v", a, b.Items[0].Allowed, err)
		}
		if n := s.Len(); n != 0 {
			t.Errorf("%v: %d buckets after a refund", a, n)
		}
		ask(t, s, item(ruleOf(a), "k"))
		b = &ratelimit.Batch{Op: ratelimit.OpReset, Items: []ratelimit.Item{item(ruleOf(a), "k")}}
		if err := s.Do(t.Context(), b); err != nil || s.Len() != 0 {
			t.Errorf("%v: %d buckets after a reset, %v", a, s.Len(), err)
		}
	}
}

func TestCapacity(t *testing.T) {
	for _, capacity := range []int{-1, 1, 2, 100, 5000} {
		s := memory.New(memory.WithCapacity(capacity))
		for i := range 4 * max(1, capacity) {
			ask(t, s, item(fixed, fmt.Sprint(i)))
			if n := s.Len(); n > max(1, capacity) {
				t.Fatalf("capacity %d: %d buckets", capacity, n)
			}
		}
		if n := s.Len(); n < capacity*9/10 {
			t.Errorf("capacity %d: only %d buckets", capacity, n)
		}
		s.Close()
	}
}

// TestCapacityOfBatch asks for more buckets at once than fit.
func TestCapacityOfBatch(t *testing.T) {
	s := memory.New(memory.WithCapacity(2))
	defer s.Close()
	var items []ratelimit.Item
	for i := range 20 {
		items = append(items, item(slide, fmt.Sprint(i)))
	}
	for range 3 {
		b := ask(t, s, items...)
		for i := range b.Items {
			if r := b.Items[i].Result; !r.Allowed || r.Remaining < 2 || r.Remaining > 4 {
				t.Fatalf("item %d: %+v", i, r)
			}
		}
	}
	if n := s.Len(); n > 2 {
		t.Errorf("%d buckets", n)
	}
}

// TestEviction floods a full store with keys that come once: those that are
// in use stay.
func TestEviction(t *testing.T) {
	const used, capacity = 50, 200
	s := memory.New(memory.WithCapacity(capacity))
	defer s.Close()
	for i := range used {
		ask(t, s, item(fixed, fmt.Sprint("used", i)))
	}
	for round := range int64(4) {
		for i := range used {
			b := ask(t, s, item(fixed, fmt.Sprint("used", i)))
			if want := fixed.Limit - 2 - round; b.Items[0].Remaining != want {
				t.Fatalf("round %d, key %d: remaining %d, want %d", round, i, b.Items[0].Remaining, want)
			}
		}
		for i := range capacity / 2 {
			ask(t, s, item(fixed, fmt.Sprint("once", round, i)))
		}
	}
}

// TestEvictionOfWorthless evicts a bucket that is in use but worthless.
func TestEvictionOfWorthless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memory.New(memory.WithCapacity(2))
		defer s.Close()
		short := &ratelimit.Rule{Name: "short", Limit: 5, Window: time.Millisecond}
		for range 2 {
			ask(t, s, item(short, "s"))
			ask(t, s, item(fixed, "k"))
		}
		time.Sleep(time.Millisecond)
		ask(t, s, item(fixed, "new"))
		if b := ask(t, s, item(fixed, "k")); b.Items[0].Remaining != 2 {
			t.Errorf("remaining %d, want 2", b.Items[0].Remaining)
		}
	})
}

func TestIdleBucketsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memory.New()
		defer s.Close()
		const keys = 10_000
		for i := range keys {
			ask(t, s, item(slide, fmt.Sprint(i)), item(fixed, fmt.Sprint(i)))
		}
		time.Sleep(59 * time.Second)
		for i := range keys / 2 {
			ask(t, s, item(slide, fmt.Sprint(i)))
		}
		if n := s.Len(); n != 2*keys {
			t.Errorf("%d buckets after less than their window, want %d", n, 2*keys)
		}
		time.Sleep(59 * time.Second)
		if n := s.Len(); n < keys/2 || n > keys {
			t.Errorf("%d buckets after nearly two windows, want about %d", n, keys/2)
		}
		time.Sleep(3 * time.Minute)
		if n := s.Len(); n != 0 {
			t.Errorf("%d buckets are left", n)
		}
	})
}

// TestReplacedClock keeps buckets for a real hour, whatever their clock says.
func TestReplacedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := storetest.NewClock(1)
		s := memory.New(memory.WithClock(clock.Now))
		defer s.Close()
		ask(t, s, item(fixed, "k"))
		clock.Add(24 * time.Hour)
		time.Sleep(59 * time.Minute)
		if n := s.Len(); n != 1 {
			t.Errorf("%d buckets within the hour, want 1", n)
		}
		time.Sleep(5 * time.Minute)
		if n := s.Len(); n != 0 {
			t.Errorf("%d buckets are left", n)
		}
	})
}

// TestCloseEndsSweeps leaves nothing running: synctest would find it.
func TestCloseEndsSweeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memory.New()
		ask(t, s, item(fixed, "k"))
		time.Sleep(1500 * time.Millisecond)
		s.Close()
		time.Sleep(time.Hour)
	})
}

func TestAllocations(t *testing.T) {
	wide := *slide
	wide.Name, wide.Limit = "wide", 1000
	day := &ratelimit.Rule{Name: "day", Limit: 5, Calendar: ratelimit.Day, Zone: "Europe/Berlin"}
	for name, items := range map[string][]ratelimit.Item{
		"fixed":         {item(fixed, "k")},
		"sliding":       {item(slide, "k")},
		"wide sliding":  {item(&wide, "k")},
		"counter":       {item(ruleOf(ratelimit.SlidingCounter), "k")},
		"token":         {item(ruleOf(ratelimit.TokenBucket), "k")},
		"leaky":         {item(ruleOf(ratelimit.LeakyBucket), "k")},
		"day":           {item(day, "k")},
		"four":          {item(fixed, "k"), item(slide, "k"), item(fixed, "l"), item(&wide, "l")},
		"tagged":        {{Rule: fixed, Key: "k", Tag: "t", Cost: 1, Limit: 5}},
		"of broken key": {{Rule: fixed, Broken: true, Cost: 1, Limit: 5}},
	} {
		t.Run(name, func(t *testing.T) {
			s := memory.New()
			defer s.Close()
			b := ratelimit.NewBatch()
			b.Items = append(b.Items, items...)
			decide := func() { s.Do(context.Background(), b) }
			for range 1000 {
				decide()
			}
			if n := testing.AllocsPerRun(1000, decide); n != 0 {
				t.Errorf("%v allocations per decision", n)
			}
		})
	}
}

// ruleOf returns a rule of 1000 calls in a second.
func ruleOf(a ratelimit.Algorithm) *ratelimit.Rule {
	return &ratelimit.Rule{Name: "of." + a.String(), Algorithm: a, Limit: 1000, Window: time.Second}
}

// TestHotAndCold asks for all sorts of buckets from many goroutines while
// others go, and counts what passes.
func TestHotAndCold(t *testing.T) {
	s := memory.New(memory.WithCapacity(1 << 16))
	defer s.Close()
	hot := &ratelimit.Rule{Name: "hot", Algorithm: ratelimit.SlidingWindow, Limit: 700, Window: time.Hour}
	cold := &ratelimit.Rule{Name: "cold", Limit: 5, Window: time.Millisecond}
	var passed storetest.Admitted
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range 500 {
				items := []ratelimit.Item{item(hot, "k"), item(cold, fmt.Sprint(r.IntN(10_000)))}
				if i%2 == 0 {
					items[0], items[1] = items[1], items[0]
				}
				if b := ask(t, s, items...); b.Allowed {
					passed.Add(b.Time, 1)
				}
			}
		})
	}
	wg.Wait()
	if passed.Count() != 700 {
		t.Errorf("%d calls passed, want 700", passed.Count())
	}
}

// TestTimesInOrder asks for one bucket from many goroutines: who took more of it
// was there later.
func TestTimesInOrder(t *testing.T) {
	const callers, calls = 8, 2000
	s := memory.New()
	defer s.Close()
	r := &ratelimit.Rule{Name: "order", Algorithm: ratelimit.SlidingWindow, Limit: callers * calls, Window: time.Hour}
	times := make([]int64, r.Limit) // by what was left
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for range calls {
				b := ask(t, s, item(r, "k"))
				times[b.Items[0].Remaining] = b.Time
			}
		})
	}
	wg.Wait()
	for left := range times[1:] {
		if times[left] < times[left+1] {
			t.Fatalf("with %d left it was %d, and later with %d left %d", left+1, times[left+1], left, times[left])
		}
	}
}

// TestClockPanics leaves nothing locked.
func TestClockPanics(t *testing.T) {
	sick := false
	s := memory.New(memory.WithClock(func() time.Time {
		if sick {
			panic("no time")
		}
		return time.Unix(1, 0)
	}))
	defer s.Close()
	for _, items := range [][]ratelimit.Item{{item(fixed, "k")}, {item(fixed, "k"), item(slide, "k")}} {
		ask(t, s, items...)
		sick = true
		func() {
			defer func() { recover() }()
			ask(t, s, items...)
			t.Error("the clock did not panic")
		}()
		sick = false
		if b := ask(t, s, items...); !b.Allowed {
			t.Error("refused after a panic")
		}
	}
}

// TestRealTime hammers buckets across the edges of their windows and counts
// what passes by the clock that decided.
func TestRealTime(t *testing.T) {
	const window, limit = 50 * time.Millisecond, 40
	for _, c := range []struct {
		algorithm ratelimit.Algorithm
		most      int
	}{
		{ratelimit.FixedWindow, 2 * limit},
		{ratelimit.SlidingWindow, limit},
		{ratelimit.SlidingCounter, 2*limit - 1},
		{ratelimit.TokenBucket, 2 * limit},
		{ratelimit.LeakyBucket, 2*limit + 1},
	} {
		t.Run(c.algorithm.String(), func(t *testing.T) {
			t.Parallel()
			s := memory.New()
			defer s.Close()
			r := &ratelimit.Rule{Name: "rt", Algorithm: c.algorithm, Limit: limit, Window: window}
			passed := hammer(t, s, r, 8, 10*window)
			if most, begin := passed.Most(window); most > c.most {
				t.Errorf("%d calls passed within %v from %d, want at most %d", most, window, begin, c.most)
			}
			if n := passed.Count(); n < 4*limit { // of a machine that is busy
				t.Errorf("only %d calls passed in ten windows", n)
			}
		})
	}
}

// hammer calls from several goroutines for some time.
func hammer(t *testing.T, s ratelimit.Store, r *ratelimit.Rule, callers int, d time.Duration) *storetest.Admitted {
	passed := new(storetest.Admitted)
	end := time.Now().Add(d)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for time.Now().Before(end) {
				if b := ask(t, s, item(r, "k")); b.Allowed {
					passed.Add(b.Time, 1)
				}
				time.Sleep(50 * time.Microsecond)
			}
		})
	}
	wg.Wait()
	return passed
}
