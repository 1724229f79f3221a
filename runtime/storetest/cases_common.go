package storetest

import (
	"strings"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// commonCases are those that hold for every algorithm.
func commonCases() []scenario {
	cases := append(faultCases(), mixed())
	for _, a := range algorithms {
		cases = append(cases,
			allOrNothing(a), refusedBatch(a), impossible(a), apart(a), sameName(a), longAgo(a), many(a))
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
	eight, nine := []ratelimit.Item{tagged(wide, "k", 8)}, []ratelimit.Item{tagged(wide, "k", 9)}
	return scenario{a.String() + ": several rules take all or nothing", []step{
		verdicts(0, both, true, true),
		verdicts(0, both, true, true),
		verdicts(0, both, true, false),
		verdicts(us, both, true, false),
		verdicts(us, nine, false),
		verdicts(us, eight, true),
		verdicts(minute+second, both, true, true),
	}}
}

func refusedBatch(a ratelimit.Algorithm) scenario {
	first, second := rule("one", a, 1, minute), rule("other", a, 5, minute)
	return scenario{a.String() + ": a batch that is refused leaves buckets that were never used so", []step{
		verdicts(0, []ratelimit.Item{tagged(first, "k", 1)}, true),
		calls(0, []ratelimit.Item{tagged(second, "k", 2), tagged(first, "k", 1)},
			pass(5, 0), full(a, minute)),
		verdicts(10*us, []ratelimit.Item{tagged(second, "k", 5)}, true),
	}}
}

// full is the refusal of a bucket of limit 1 that has just been charged.
func full(a ratelimit.Algorithm, w time.Duration) ratelimit.Result {
	if a == ratelimit.SlidingCounter { // whose windows don't wait for the call
		w = 2*w - time.Duration(epoch%w.Microseconds())*us
	}
	return refuse(0, w, w)
}

func impossible(a ratelimit.Algorithm) scenario {
	small, large := rule("small", a, 2, minute), rule("large", a, 5, minute)
	return scenario{a.String() + ": one cost that can never pass refuses the batch", []step{
		calls(0, []ratelimit.Item{tagged(large, "k", 5), tagged(small, "k", 3)},
			pass(5, 0), refuse(2, ratelimit.Never, 0)),
		calls(0, []ratelimit.Item{tagged(large, "k", 5), tagged(small, "k", ratelimit.MaxCost)},
			pass(5, 0), refuse(2, ratelimit.Never, 0)),
		verdicts(0, []ratelimit.Item{tagged(large, "k", 5), tagged(small, "k", 2)}, true, true),
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
		item(&ratelimit.Rule{Name: "a.b", Limit: 1, Calendar: ratelimit.Minute}, "k"),
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
		steps = append(steps, verdicts(0, []ratelimit.Item{it}, true))
	}
	for _, it := range items {
		steps = append(steps, verdicts(us, []ratelimit.Item{it}, false))
	}
	return steps
}

func another(a ratelimit.Algorithm) ratelimit.Algorithm {
	return algorithms[(int(a)+1)%len(algorithms)]
}

// sameName tests that rules of one name share their buckets.
func sameName(a ratelimit.Algorithm) scenario {
	shared := func() []ratelimit.Item { return []ratelimit.Item{item(rule("shared", a, 2, minute), "k")} }
	return scenario{a.String() + ": equal rules share their buckets", []step{
		verdicts(0, shared(), true),
		verdicts(0, shared(), true),
		verdicts(0, shared(), false),
	}}
}

// longAgo tests a clock that shows less than a window.
func longAgo(a ratelimit.Algorithm) scenario {
	r, start := rule("longAgo", a, 2, minute), -time.Duration(epoch)*us
	k := []ratelimit.Item{item(r, "k")}
	return scenario{a.String() + ": the clock shows 1970", []step{
		verdicts(start, k, true),
		verdicts(start+us, k, true),
		verdicts(start+us, k, false),
		verdicts(start+29*second, k, false),
		verdicts(start+2*minute+us, k, true),
		verdicts(start+2*minute+us, k, true),
	}}
}

// many tests a batch of more buckets than one has in mind.
func many(a ratelimit.Algorithm) scenario {
	var ten []ratelimit.Item
	var all, none []bool
	for i := range 10 {
		r := rule("many", a, 2, minute)
		ten = append(ten, tagged(r, string(rune('a'+i)), 2))
		all, none = append(all, true), append(none, false)
	}
	return scenario{a.String() + ": ten buckets", []step{
		verdicts(0, ten, all...),
		verdicts(us, ten, none...),
		verdicts(2*minute, ten, all...),
	}}
}

func mixed() scenario {
	var all []ratelimit.Item
	var yes, no []bool
	for _, a := range algorithms {
		all = append(all, tagged(rule("mixed."+a.String(), a, 2, minute), "k", 2))
		yes, no = append(yes, true), append(no, false)
	}
	day := &ratelimit.Rule{Name: "mixed.day", Limit: 2, Calendar: ratelimit.Day, Zone: "Asia/Tokyo"}
	all = append(all, tagged(day, "k", 1))
	yes, no = append(yes, true), append(no, true)
	return scenario{"rules of all algorithms at once", []step{
		verdicts(0, all, yes...),
		verdicts(0, all, no...),
		verdicts(2*minute, all, yes...),
		verdicts(2*minute, all[:1], false),
		verdicts(2*minute, all[5:], false),
	}}
}
