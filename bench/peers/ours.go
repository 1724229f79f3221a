package main

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/guarded"
	"github.com/ratelimitgen/ratelimitgen/bench/load"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/redisstore"
	"github.com/redis/go-redis/v9"
)

// method is one of the wrappers' methods.
type method func(ctx context.Context, user int64) error

// methods are of one kind: one for each job.
type methods struct {
	name string
	of   [jobs]func(*ratelimit.Limiter) method
}

func open(of func(*guarded.RateLimitedOpen) method) func(*ratelimit.Limiter) method {
	return func(l *ratelimit.Limiter) method { return of(guarded.NewRateLimitedOpen(&guarded.Open{}, l)) }
}

func shut(of func(*guarded.RateLimitedShut) method) func(*ratelimit.Limiter) method {
	return func(l *ratelimit.Limiter) method { return of(guarded.NewRateLimitedShut(&guarded.Shut{}, l)) }
}

type (
	openCalls = *guarded.RateLimitedOpen
	shutCalls = *guarded.RateLimitedShut
)

// kind is the methods of which the same one serves whether keys are many or one.
func kind(name string, passes func(openCalls) method, refuses func(shutCalls) method) methods {
	return methods{name, [jobs]func(*ratelimit.Limiter) method{open(passes), open(passes), shut(refuses)}}
}

var (
	fixed = kind("`fixed`",
		func(w openCalls) method { return w.Fixed }, func(w shutCalls) method { return w.Fixed })
	sliding = kind("`sliding`",
		func(w openCalls) method { return w.Sliding }, func(w shutCalls) method { return w.Sliding }).
		sparse(func(w openCalls) method { return w.Sparse })
	counter = kind("`counter`",
		func(w openCalls) method { return w.Counter }, func(w shutCalls) method { return w.Counter })
	token = kind("`token`",
		func(w openCalls) method { return w.Token }, func(w shutCalls) method { return w.Token })
	leaky = kind("`leaky`",
		func(w openCalls) method { return w.Leaky }, func(w shutCalls) method { return w.Leaky })
	three = kind("three rules `fixed`",
		func(w openCalls) method { return w.Three }, func(w shutCalls) method { return w.Three })
)

// sparse returns m with another method for many keys.
func (m methods) sparse(of func(openCalls) method) methods {
	m.of[random] = open(of)
	return m
}

// limiterOn returns a limiter as users have it, but that it says nothing and
// never lets a call pass because the store is late.
func limiterOn(store ratelimit.Store, options ...ratelimit.Option) *ratelimit.Limiter {
	options = append(options, ratelimit.WithTimeout(patience),
		ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	return ratelimit.New(store, options...)
}

// wrapped calls the methods through their wrappers.
func (m methods) wrapped(l *ratelimit.Limiter, j job) *subject {
	call := m.of[j](l)
	return &subject{
		call: func(c *load.Caller) (bool, error) {
			return passed(call(context.Background(), j.user(c)))
		},
		close: func() { l.Close() },
	}
}

func passed(err error) (bool, error) {
	if errors.Is(err, ratelimit.ErrLimited) {
		return false, nil
	}
	return err == nil, err
}

// ruleFor is a rule as those of the wrappers; one for many keys keeps their
// buckets for a while.
func ruleFor(a ratelimit.Algorithm, j job) *ratelimit.Rule {
	r := &ratelimit.Rule{Name: "hand." + a.String(), Algorithm: a, Limit: plenty, Window: day}
	switch {
	case j == refused:
		r.Limit, r.Burst = 1, noQueue(a)
	case j == random && a == ratelimit.SlidingWindow:
		r.Limit, r.Window = 1000, time.Minute
	case j == random:
		r.Limit, r.Window = 10_000, 365*day
	case a == ratelimit.SlidingWindow:
		r.Limit, r.Window = 100_000, 4*time.Millisecond // 25 million a second
	case a == ratelimit.LeakyBucket:
		r.Limit = 9_000_000_000_000_000
	}
	return r
}

func noQueue(a ratelimit.Algorithm) int64 {
	if a == ratelimit.LeakyBucket {
		return ratelimit.NoQueue
	}
	return 0
}

const (
	plenty = 1_000_000_000_000
	day    = 24 * time.Hour
)

// byHand calls Admit as somebody would without a generator.
func byHand(l *ratelimit.Limiter, a ratelimit.Algorithm, j job) *subject {
	r := ruleFor(a, j)
	return &subject{
		call: func(c *load.Caller) (bool, error) {
			key := "user:" + strconv.FormatInt(j.user(c), 10)
			_, err := l.Admit(context.Background(), r.For(key))
			return passed(err)
		},
		close: func() { l.Close() },
	}
}

// build is how the limiter of a row is made, over Redis.
type build struct {
	methods
	client *redis.Client
	store  []redisstore.Option
	option []ratelimit.Option
}

func (b build) row(name string, only func(cell) bool) *contender {
	return &contender{name: name, fast: true, only: only, open: func(j job) (*subject, error) {
		return b.wrapped(limiterOn(redisstore.New(b.client, b.store...), b.option...), j), nil
	}}
}

// ourRows are the limiter's own, over Redis: as it comes, then without this or
// that.
func ourRows(l *lab) []*contender {
	single := []redisstore.Option{redisstore.WithBatching(1)}
	always := []ratelimit.Option{ratelimit.WithDenyCache(0)}
	rows := []*contender{
		build{fixed, l.client(), nil, nil}.row(nameOurs, nil),
		build{fixed, l.client(), nil, always}.row(nameNoCache, refuses),
		build{fixed, l.client(), single, nil}.row(nameSingle, passes),
		build{fixed, l.client(), single, always}.row(nameNeither, refuses),
		build{fixed, l.clientAsIs(), nil, nil}.row(nameAsIs, passes),
		handRow(l),
	}
	rows = append(rows, acquireRow(l))
	for _, c := range rows {
		c.often = c.name == nameOurs || c.name == nameNoCache || c.name == nameAcquire
	}
	for _, m := range []methods{sliding, counter, token, leaky, three} {
		rows = append(rows, build{m, l.client(), nil, nil}.row(m.name, nil))
	}
	return rows
}

func refuses(at cell) bool { return at.job == refused }

func passes(at cell) bool { return at.job == admitted }

// acquireRow makes no error of a refusal.
func acquireRow(l *lab) *contender {
	client := l.client()
	return &contender{name: nameAcquire, fast: true, only: refuses, open: func(j job) (*subject, error) {
		return acquire(limiterOn(redisstore.New(client)), ratelimit.FixedWindow, j), nil
	}}
}

func handRow(l *lab) *contender {
	client := l.client()
	return &contender{name: nameByHand, fast: true, open: func(j job) (*subject, error) {
		return byHand(limiterOn(redisstore.New(client)), ratelimit.FixedWindow, j), nil
	}}
}
