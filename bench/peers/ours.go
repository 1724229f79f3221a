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

// methods are one method that always passes, and one of the same kind that
// never does but once.
type methods struct {
	name       string
	open, shut func(*ratelimit.Limiter) method
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

var (
	fixed = methods{"`fixed`",
		open(func(w openCalls) method { return w.Fixed }), shut(func(w shutCalls) method { return w.Fixed })}
	sliding = methods{"`sliding`",
		open(func(w openCalls) method { return w.Sliding }), shut(func(w shutCalls) method { return w.Sliding })}
	counter = methods{"`counter`",
		open(func(w openCalls) method { return w.Counter }), shut(func(w shutCalls) method { return w.Counter })}
	token = methods{"`token`",
		open(func(w openCalls) method { return w.Token }), shut(func(w shutCalls) method { return w.Token })}
	leaky = methods{"`leaky`",
		open(func(w openCalls) method { return w.Leaky }), shut(func(w shutCalls) method { return w.Leaky })}
	three = methods{"three rules `fixed`",
		open(func(w openCalls) method { return w.Three }), shut(func(w shutCalls) method { return w.Three })}
)

// limiterOn returns a limiter as users have it, but that it says nothing and
// never lets a call pass because the store is late.
func limiterOn(store ratelimit.Store, options ...ratelimit.Option) *ratelimit.Limiter {
	options = append(options, ratelimit.WithTimeout(patience),
		ratelimit.WithFailure(ratelimit.FailClosed), ratelimit.WithLogger(slog.New(slog.DiscardHandler)))
	return ratelimit.New(store, options...)
}

// wrapped calls the methods through their wrappers.
func (m methods) wrapped(l *ratelimit.Limiter, j job) *subject {
	of := m.open
	if !j.passes() {
		of = m.shut
	}
	call := of(l)
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

// ruleFor is a rule as those of the wrappers.
func ruleFor(a ratelimit.Algorithm, j job) *ratelimit.Rule {
	r := &ratelimit.Rule{Name: "hand." + a.String(), Algorithm: a, Limit: plenty, Window: day}
	switch {
	case !j.passes():
		r.Limit, r.Burst = 1, noQueue(a)
	case a == ratelimit.SlidingWindow:
		r.Limit, r.Window = 100_000, 10*time.Millisecond
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
	rows[0].often, rows[1].often = true, true
	for _, m := range []methods{sliding, counter, token, leaky, three} {
		rows = append(rows, build{m, l.client(), nil, nil}.row(m.name, nil))
	}
	return rows
}

func refuses(at cell) bool { return at.job == refused }

func passes(at cell) bool { return at.job == admitted }

func handRow(l *lab) *contender {
	client := l.client()
	return &contender{name: nameByHand, fast: true, open: func(j job) (*subject, error) {
		return byHand(limiterOn(redisstore.New(client)), ratelimit.FixedWindow, j), nil
	}}
}
