package main

import (
	"fmt"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// goal is what the limiter is meant to reach, and what it has reached.
type goal struct {
	what   string
	least  float64 // or
	most   float64
	none   bool // the most is 0
	values []float64
}

// reached is decided by the median.
func (g goal) reached() bool {
	m := median(g.values)
	if g.least > 0 {
		return m >= g.least
	}
	return m <= g.most
}

func (g goal) bound() string {
	switch {
	case g.none:
		return "none"
	case g.least > 0:
		return "at least " + short(g.least)
	}
	return "at most " + short(g.most)
}

func (g goal) verdict() string {
	switch {
	case len(g.values) == 0:
		return "not measured"
	case g.reached():
		return "yes"
	}
	return "**no**"
}

func goalTable(goals []goal) string {
	t := page.Table{Head: []string{"what it is meant to reach", "goal", "measured", "reached"}}
	for _, g := range goals {
		t.Add(g.what, g.bound(), spread(g.values), g.verdict())
	}
	return t.Words()
}

// remoteGoals are those of calls over Redis.
func remoteGoals(r *results) []goal {
	times := func(what string, least float64, to string, j job, n int) goal {
		return goal{what: what, least: least, values: r.ratios(nameOurs, to, cell{j, n}, speed)}
	}
	local := []string{nameOurs, nameByHand, nameAcquire, sliding.name, counter.name, token.name, leaky.name, three.name}
	best := bestAsking(r, local)
	bestOther := bestAsking(r, append(local, nameNoCache, nameSingle, nameAsIs, nameNeither))
	return []goal{
		times("one hot key admitted, 128 callers: times redis_rate", 3.5, nameRedisRate, admitted, 128),
		times("the same: times our script called through go-redis", 2.5, namePlain, admitted, 128),
		times("the same: times our script called through rueidis", 1.25, nameRueidis, admitted, 128),
		times("16 callers: times redis_rate", 2.2, nameRedisRate, admitted, 16),
		times("1024 callers: part of what `redis-benchmark -P 50` reaches", 0.7, namePipelined, admitted, 1024),
		times("1 caller: part of our script called through go-redis", 0.9, namePlain, admitted, 1),
		{what: "128 callers: p99 as part of redis_rate's", most: 0.5, values: r.ratios(nameOurs, nameRedisRate, cell{admitted, 128}, p99)},
		times("one hot key refused, 128 callers: times our script called through go-redis", 100, namePlain, refused, 128),
		times("the same: times the best row that asks Redis ("+best+")", 30, best, refused, 128),
		times("the same: times the best row that asks Redis and is not ours ("+bestOther+")", 30, bestOther, refused, 128),
		{what: "`Limiter.Acquire`, which makes no error: times the best row that asks Redis", least: 30, values: r.ratios(nameAcquire, best, cell{refused, 128}, speed)},
		{what: "allocations of a wrapper's call over Redis that is admitted, its key included", most: 8,
			values: r.all(nameOurs, cell{admitted, 1}, mallocs)},
	}
}

// bestAsking is the row that refuses fastest, but for some: of those that ask Redis
// each time.
func bestAsking(r *results, but []string) string {
	var asking []string
	for _, row := range r.names {
		if !slices.Contains(but, row) {
			asking = append(asking, row)
		}
	}
	return r.best(asking, cell{refused, 128})
}

// localGoals are those of calls that ask nobody.
func localGoals(r *results) []goal {
	goals := []goal{
		{what: "refusal by the deny cache, `Acquire`: nanoseconds", most: 250, values: r.nanoseconds(nameLocal, refused)},
		none("its allocations", r, nameLocal, refused),
		none("allocations of `Acquire` on the memory store, admitted", r, nameToken, admitted),
		{what: "time of a generated wrapper on the memory store, times `Admit` by hand", most: 1.1,
			values: r.ratios(nameHand, nameWrapper, cell{admitted, 1}, speed)},
	}
	for _, j := range []job{admitted, random} {
		for _, n := range goroutines {
			goals = append(goals, against(r, "token bucket", nameTokenStore, nameToken, 0.8, cell{j, n})...)
			goals = append(goals, against(r, "exact sliding window", nameSlidingStore, nameSliding, 0.5, cell{j, n})...)
		}
	}
	return goals
}

// none is a goal of no allocations.
func none(what string, r *results, row string, j job) goal {
	return goal{what: what, none: true, values: r.all(row, cell{j, 1}, mallocs)}
}

// against compares the memory store by itself, and a Limiter with it.
func against(r *results, what, alone, acquire string, least float64, at cell) []goal {
	what = fmt.Sprintf("memory store, %s, %v, %s: times go-limiter", what, at.job, countOf(at.callers, "goroutine"))
	return []goal{
		{what: what, least: least, values: r.ratios(alone, nameGoLimiter, at, speed)},
		{what: what + ", by `Limiter.Acquire`", least: least, values: r.ratios(acquire, nameGoLimiter, at, speed)},
	}
}
