package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/memory"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	golimiter "github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"
	"golang.org/x/time/rate"
)

// The rows that ask nobody outside of the process.
const (
	nameTokenStore   = "`token`, the store alone"
	nameSlidingStore = "`sliding`, the store alone"
	nameToken        = "`token`, `Acquire`"
	nameSliding      = "`sliding`, `Acquire`"
	nameHand         = "`fixed`, `Admit` by hand"
	nameWrapper      = "`fixed`, wrapper"
	nameLocal        = "`fixed` over Redis, `Acquire`, refused by the deny cache"
	nameLocalAdmit   = "`fixed` over Redis, `Admit`, refused by the deny cache"
	nameGoLimiter    = "sethvargo/go-limiter memorystore"
	nameXRate        = "golang.org/x/time/rate in a sync.Map"
)

// inProcessRows decide in memory, or remember refusals.
func inProcessRows(l *lab) []*contender {
	rows := []*contender{
		{name: nameTokenStore, open: storeAlone(ratelimit.TokenBucket)},
		{name: nameSlidingStore, open: storeAlone(ratelimit.SlidingWindow)},
		{name: nameToken, open: acquiring(ratelimit.TokenBucket)},
		{name: nameSliding, open: acquiring(ratelimit.SlidingWindow)},
		{name: "`fixed`, `Acquire`", open: acquiring(ratelimit.FixedWindow)},
		{name: "`counter`, `Acquire`", open: acquiring(ratelimit.SlidingCounter)},
		{name: "`leaky`, `Acquire`", open: acquiring(ratelimit.LeakyBucket)},
		{name: nameHand, open: func(j job) (*subject, error) {
			return byHand(limiterOn(memory.New()), ratelimit.FixedWindow, j), nil
		}},
		{name: nameWrapper, open: func(j job) (*subject, error) { return fixed.wrapped(limiterOn(memory.New()), j), nil }},
		{name: nameLocal, only: refuses, open: func(j job) (*subject, error) {
			return acquire(limiterOn(redisstore.New(l.admin)), ratelimit.FixedWindow, j), nil
		}},
		{name: nameLocalAdmit, only: refuses, open: func(j job) (*subject, error) {
			return byHand(limiterOn(redisstore.New(l.admin, redisstore.WithPrefix("admit:"))), ratelimit.FixedWindow, j), nil
		}},
		{name: nameGoLimiter, open: goLimiter},
		{name: nameXRate, open: xRate},
	}
	for _, c := range rows {
		c.fast = true
	}
	return rows
}

// storeAlone asks the store as a Limiter does.
func storeAlone(a ratelimit.Algorithm) func(job) (*subject, error) {
	return func(j job) (*subject, error) {
		store, rule := memory.New(), ruleFor(a, j)
		batches := sync.Pool{New: func() any {
			b := ratelimit.NewBatch()
			b.Items = append(b.Items, ratelimit.Item{Rule: rule, Cost: 1, Limit: rule.Limit})
			return b
		}}
		return &subject{func(c *load.Caller) (bool, error) {
			b := batches.Get().(*ratelimit.Batch)
			b.Items[0].Key = j.key(c)
			err := store.Do(context.Background(), b)
			allowed := b.Allowed
			batches.Put(b)
			return allowed, err
		}, func() { store.Close() }}, nil
	}
}

func acquiring(a ratelimit.Algorithm) func(job) (*subject, error) {
	return func(j job) (*subject, error) { return acquire(limiterOn(memory.New()), a, j), nil }
}

func acquire(l *ratelimit.Limiter, a ratelimit.Algorithm, j job) *subject {
	r := ruleFor(a, j)
	return &subject{func(c *load.Caller) (bool, error) {
		d, err := l.Acquire(context.Background(), r.For(j.key(c)))
		return d.Allowed, err
	}, func() { l.Close() }}
}

func goLimiter(j job) (*subject, error) {
	store, err := openGoLimiter(j)
	if err == nil && j == random {
		err = holdOwn(store)
	}
	return &subject{func(c *load.Caller) (bool, error) {
		_, _, _, passes, err := store.Take(context.Background(), j.key(c))
		return passes, err
	}, func() { store.Close(context.Background()) }}, err
}

// holdOwn has store hold strings of its own for all keys. It would hold those of
// the calls, and need not read a key that is the very string it holds: no program
// that makes its keys call by call is spared that.
func holdOwn(store golimiter.Store) error {
	for _, key := range keys {
		if _, _, _, _, err := store.Take(context.Background(), strings.Clone(key)); err != nil {
			return err
		}
	}
	return nil
}

func openGoLimiter(j job) (golimiter.Store, error) {
	return memorystore.New(&memorystore.Config{Tokens: uint64(limitOf(j)), Interval: day})
}

// xRate keeps a limiter for each key, as its users do.
func xRate(j job) (*subject, error) {
	limit, burst := rate.Limit(perSecond), perSecond
	if !j.passes() {
		limit, burst = rate.Every(24*time.Hour), 1
	}
	var limiters sync.Map
	return &subject{func(c *load.Caller) (bool, error) {
		key := j.key(c)
		of, known := limiters.Load(key)
		if !known {
			of, _ = limiters.LoadOrStore(strings.Clone(key), rate.NewLimiter(limit, burst))
		}
		return of.(*rate.Limiter).Allow(), nil
	}, nothing}, nil
}
