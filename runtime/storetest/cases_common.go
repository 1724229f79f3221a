package storetest

import (
	"strings"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// commonCases are those that hold for every algorithm.
func commonCases() []scenario {
	cases := []scenario{mixed}
	for _, a := range algorithms {
		cases = append(cases, allOrNothing(a), refusedBatch(a), impossible(a), apart(a), sameName(a), longAgo(a))
	}
	return cases
}

func tagged(r *ratelimit.Rule, key string, cost int64) ratelimit.Item {
	it := item(r, key)
	it.Cost, it.Tag = cost, "t"
	return it
}

func allOrNothing(a ratelimit.Algorithm) scenario {
	wide, narrow := rule("wide", a, 10, minute), rule("narrow", a, 2, second)
	both := []ratelimit.Item{tagged(wide, "k", 1), tagged(narrow, "k", 1)}
	onlyWide := []ratelimit.Item{tagged(wide, "k", 1)}
	return scenario{a.String() + ": several rules take all or nothing", []step{
		calls(0, both, pass(9, minute), pass(1, second)),
		calls(0, both, pass(8, minute), pass(0, second)),
		calls(us, both, pass(8, minute-us), refuse(0, second-us, second-us)),
		calls(second-us, both, pass(8, minute-second+us), refuse(0, us, us)),
		calls(second-us, onlyWide, pass(7, reset(a, second-us))),
	}}
}

// reset is the ResetAfter of a bucket with a minute's window that was charged
// at 0 and is charged again at.
func reset(a ratelimit.Algorithm, at time.Duration) time.Duration {
	if a == ratelimit.FixedWindow {
		return minute - at
	}
	return minute
}

func refusedBatch(a ratelimit.Algorithm) scenario {
	first, second := rule("one", a, 1, minute), rule("other", a, 5, minute)
	return scenario{a.String() + ": a batch that is refused leaves buckets that were never used so", []step{
		calls(0, []ratelimit.Item{tagged(first, "k", 1)}, pass(0, minute)),
		calls(us, []ratelimit.Item{tagged(second, "k", 2), tagged(first, "k", 1)},
			pass(5, 0), refuse(0, minute-us, minute-us)),
		calls(10*us, []ratelimit.Item{tagged(second, "k", 5)}, pass(0, minute)),
	}}
}

func impossible(a ratelimit.Algorithm) scenario {
	r, other := rule("small", a, 2, minute), rule("large", a, 5, minute)
	return scenario{a.String() + ": one cost that can never pass refuses the batch", []step{
		calls(0, []ratelimit.Item{tagged(other, "k", 5), tagged(r, "k", 3)},
			pass(5, 0), refuse(2, ratelimit.Never, 0)),
		calls(0, []ratelimit.Item{tagged(other, "k", 5), tagged(r, "k", 2)},
			pass(0, minute), pass(0, minute)),
	}}
}

// apart tests that buckets are distinct.
func apart(a ratelimit.Algorithm) scenario {
	r := rule("a.b", a, 1, minute)
	long := strings.Repeat("x", 300)
	items := []ratelimit.Item{
		item(r, "k"), item(r, "K"), item(r, ""), item(r, " "), item(r, "\x00"), item(r, "k\x00"),
		item(r, "a:b"), item(r, "a:"), item(r, "{a}"), item(r, "a}"), item(r, "%"), item(r, "%25"),
		item(r, "\xff\xfe"), item(r, "\xff"), item(r, "ü"), item(r, "\r\n"), item(r, "broken"),
		item(r, long), item(r, long+"x"), item(r, "y"+long), item(r, "y"+long[1:]),
		item(rule("a.b.k", a, 1, minute), ""), item(rule("a", a, 1, minute), "b.k"),
		item(rule("a.b", a, 1, minute+us), "k"), item(rule("a.b", a, 1, second), "k"),
		item(rule("a.b", another(a), 1, minute), "k"),
		{Rule: r, Broken: true, Cost: 1, Limit: 1},
		{Rule: rule("a", a, 1, minute), Broken: true, Cost: 1, Limit: 1},
		{Rule: r, Key: "k", Tag: "t", Cost: 1, Limit: 1},
		{Rule: r, Key: "k", Tag: "T", Cost: 1, Limit: 1},
		{Rule: r, Key: "tk", Cost: 1, Limit: 1},
		{Rule: r, Tag: "t", Broken: true, Cost: 1, Limit: 1},
	}
	return scenario{a.String() + ": buckets are apart", each(items)}
}

// each asks for each of items, of limit 1, alone and once more.
func each(items []ratelimit.Item) []step {
	var steps []step
	for _, it := range items {
		steps = append(steps, calls(0, []ratelimit.Item{it}, pass(0, it.Rule.Window)))
	}
	for _, it := range items {
		steps = append(steps, calls(us, []ratelimit.Item{it}, refuse(0, it.Rule.Window-us, it.Rule.Window-us)))
	}
	return steps
}

func another(a ratelimit.Algorithm) ratelimit.Algorithm {
	return algorithms[(int(a)+1)%len(algorithms)]
}

// sameName tests that rules of one name share their buckets.
func sameName(a ratelimit.Algorithm) scenario {
	return scenario{a.String() + ": equal rules share their buckets", []step{
		call(0, rule("shared", a, 2, minute), 1, pass(1, minute)),
		call(0, rule("shared", a, 2, minute), 1, pass(0, minute)),
		call(0, rule("shared", a, 2, minute), 1, refuse(0, minute, minute)),
	}}
}

// longAgo tests a clock that shows less than a window.
func longAgo(a ratelimit.Algorithm) scenario {
	r, start := rule("longAgo", a, 2, minute), -time.Duration(epoch)*us
	return scenario{a.String() + ": the clock shows 1970", []step{
		call(start, r, 1, pass(1, minute)),
		call(start+us, r, 2, refuse(1, minute-us, minute-us)),
		call(start+us, r, 1, pass(0, reset(a, us))),
		call(start+minute-us, r, 1, refuse(0, us, reset(a, us)-minute+2*us)),
	}}
}

var mixed = func() scenario {
	f, s := rule("mixed.f", ratelimit.FixedWindow, 2, minute), rule("mixed.s", ratelimit.SlidingWindow, 3, minute)
	all := []ratelimit.Item{tagged(f, "k", 1), tagged(s, "k", 1), tagged(f, "l", 2)}
	two := []ratelimit.Item{tagged(s, "k", 2), tagged(f, "k", 1)}
	return scenario{"rules of several algorithms, and two buckets of one", []step{
		calls(0, all, pass(1, minute), pass(2, minute), pass(0, minute)),
		calls(us, all, pass(1, minute-us), pass(2, minute-us), refuse(0, minute-us, minute-us)),
		calls(2*us, two, pass(0, minute), pass(0, minute-2*us)),
		calls(minute, two, refuse(1, 2*us, 2*us), pass(2, 0)),
		calls(minute+us, all, pass(1, minute), pass(0, minute), pass(0, minute)),
	}}
}()
