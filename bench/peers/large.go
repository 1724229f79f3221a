package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
)

// crowd is how many keys there are, and what each takes.
type crowd struct {
	keys  int
	bytes float64 // a key
	ns    float64 // a call of a random key
}

// crowdCalls are timed together.
const crowdCalls = 300_000

// names are many keys of 12 bytes in one string, so that the keys themselves
// are no work for the garbage collector.
type names string

const nameBytes = 12

func newNames(n int) names {
	var all strings.Builder
	all.Grow(n * nameBytes)
	for i := range n {
		fmt.Fprintf(&all, "user:%07d", i)
	}
	return names(all.String())
}

func (n names) at(i int) string { return string(n[i*nameBytes : (i+1)*nameBytes]) }

// store is what holds a crowd.
type store struct {
	name string
	open func(keys int) (*holder, error)
}

// holder is a store that is open.
type holder struct {
	take func(key string) (bool, error)
	held func() int // how many keys there are, nil where it does not tell
	end  func()
}

func crowdStores() []store { return []store{{nameToken, holdOurs}, {nameGoLimiter, holdTheirs}} }

func holdOurs(keys int) (*holder, error) {
	m := memory.New(memory.WithCapacity(2 * keys))
	l, r := limiterOn(m), ruleFor(ratelimit.TokenBucket, random)
	return &holder{func(key string) (bool, error) {
		d, err := l.Acquire(context.Background(), r.For(key))
		return d.Allowed, err
	}, m.Len, func() { l.Close() }}, nil
}

func holdTheirs(int) (*holder, error) {
	s, err := openGoLimiter(admitted)
	return &holder{func(key string) (bool, error) {
		_, _, _, passes, err := s.Take(context.Background(), key)
		return passes, err
	}, nil, func() { s.Close(context.Background()) }}, err
}

// crowds measures each store at each number of keys, by so many calls.
func crowds(sizes []int, calls int, say func(string, ...any)) (map[string][]crowd, error) {
	found := map[string][]crowd{}
	all := newNames(sizes[len(sizes)-1])
	for _, s := range crowdStores() {
		for _, n := range sizes {
			one, err := s.measure(all, n, calls)
			if err != nil {
				return nil, fmt.Errorf("%s with %d keys: %w", s.name, n, err)
			}
			found[s.name] = append(found[s.name], one)
			say("%s, %s keys: %.0f bytes, %.0f ns", s.name, number(int64(n)), one.bytes, one.ns)
		}
	}
	return found, nil
}

func (s store) measure(all names, n, calls int) (crowd, error) {
	before := heap()
	h, err := s.open(n)
	if err != nil {
		return crowd{}, err
	}
	defer h.end()
	for i := range n {
		if err := must(h.take(strings.Clone(all.at(i)))); err != nil {
			return crowd{}, err
		}
	}
	c := crowd{keys: n, bytes: float64(heap()-before) / float64(n)}
	c.ns, err = perCall(calls, func(r *rand.Rand) error { return must(h.take(all.at(r.IntN(n)))) })
	return c, errors.Join(err, h.holds(n))
}

func (h *holder) holds(n int) error {
	if h.held != nil && h.held() != n {
		return fmt.Errorf("%d of %d keys are there", h.held(), n)
	}
	return nil
}

var errNotAdmitted = errors.New("a call was refused")

func must(passes bool, err error) error {
	if err == nil && !passes {
		err = errNotAdmitted
	}
	return err
}

// perCall is the median of five times that so many calls take, in nanoseconds
// for each.
func perCall(calls int, call func(*rand.Rand) error) (float64, error) {
	random := newOrder(1)
	var times []float64
	for range 5 {
		start := time.Now()
		for range calls {
			if err := call(random); err != nil {
				return 0, err
			}
		}
		times = append(times, float64(time.Since(start))/float64(calls))
	}
	return median(times), nil
}

// heap is the bytes that are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one has found in pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func crowdTable(found map[string][]crowd) string {
	t := page.Table{Head: []string{"keys"}}
	for _, c := range found[nameToken] {
		t.Head = append(t.Head, number(int64(c.keys)))
	}
	for _, s := range crowdStores() {
		row := []string{s.name}
		for _, c := range found[s.name] {
			row = append(row, fmt.Sprintf("%.0f bytes a key, %.0f ns a call", c.bytes, c.ns))
		}
		t.Add(row...)
	}
	return t.Numbers()
}
