package storetest

import (
	"slices"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

const second = time.Second

var (
	sliding3    = rule("sliding3", ratelimit.SlidingWindow, 3, minute)
	slidingMost = rule("slidingMost", ratelimit.SlidingWindow, 100_000, 10*366*24*time.Hour)
	slidingTiny = rule("slidingTiny", ratelimit.SlidingWindow, 1, time.Millisecond)
)

var slidingCases = []scenario{
	{"sliding: each call is counted for a window", []step{
		call(0, sliding3, 1, pass(2, minute)),
		call(10*second, sliding3, 1, pass(1, minute)),
		call(20*second, sliding3, 1, pass(0, minute)),
		call(30*second, sliding3, 1, refuse(0, 30*second, 50*second)),
		call(minute-us, sliding3, 1, refuse(0, us, 20*second+us)),
		call(minute, sliding3, 1, pass(0, minute)),
		call(minute, sliding3, 1, refuse(0, 10*second, minute)),
		call(minute+10*second-us, sliding3, 1, refuse(0, us, 50*second+us)),
		call(minute+10*second, sliding3, 1, pass(0, minute)),
	}},
	{"sliding: calls of one microsecond all count", []step{
		call(0, sliding3, 1, pass(2, minute)),
		call(0, sliding3, 1, pass(1, minute)),
		call(0, sliding3, 1, pass(0, minute)),
		call(0, sliding3, 1, refuse(0, minute, minute)),
		call(minute-us, sliding3, 1, refuse(0, us, us)),
		call(minute, sliding3, 3, pass(0, minute)),
	}},
	{"sliding: a cost of k waits for the k-th slot", []step{
		call(0, sliding3, 1, pass(2, minute)),
		call(1*us, sliding3, 1, pass(1, minute)),
		call(2*us, sliding3, 1, pass(0, minute)),
		call(3*us, sliding3, 1, refuse(0, minute-3*us, minute-us)),
		call(3*us, sliding3, 2, refuse(0, minute-2*us, minute-us)),
		call(3*us, sliding3, 3, refuse(0, minute-us, minute-us)),
		call(3*us, sliding3, 4, refuse(0, ratelimit.Never, minute-us)),
		call(minute, sliding3, 2, refuse(1, us, 2*us)),
		call(minute+us, sliding3, 2, pass(0, minute)),
	}},
	{"sliding: two quotas never meet at the edge of a window", []step{
		call(minute-us, sliding3, 3, pass(0, minute)),
		call(minute, sliding3, 1, refuse(0, minute-us, minute-us)),
		call(2*minute-2*us, sliding3, 1, refuse(0, us, us)),
		call(2*minute-us, sliding3, 1, pass(2, minute)),
	}},
	{"sliding: a refusal is not counted", []step{
		call(0, sliding3, 3, pass(0, minute)),
		call(30*second, sliding3, 1, refuse(0, 30*second, 30*second)),
		call(40*second, sliding3, 3, refuse(0, 20*second, 20*second)),
		call(minute, sliding3, 3, pass(0, minute)),
	}},
	{"sliding: a cost above the limit can never pass", []step{
		call(0, sliding3, 4, refuse(3, ratelimit.Never, 0)),
		call(0, sliding3, ratelimit.MaxCost, refuse(3, ratelimit.Never, 0)),
		call(us, sliding3, 2, pass(1, minute)),
	}},
	{"sliding: a changed limit applies at once to what is counted", []step{
		callLimit(0, sliding3, 5, 1, pass(4, minute)),
		callLimit(1*us, sliding3, 5, 1, pass(3, minute)),
		callLimit(2*us, sliding3, 5, 1, pass(2, minute)),
		callLimit(3*us, sliding3, 5, 1, pass(1, minute)),
		callLimit(4*us, sliding3, 2, 1, refuse(0, minute-2*us, minute-us)),
		callLimit(4*us, sliding3, 2, 2, refuse(0, minute-us, minute-us)),
		callLimit(4*us, sliding3, 8, 4, pass(0, minute)),
		callLimit(minute+2*us, sliding3, 5, 1, refuse(0, us, 2*us)),
		callLimit(minute+3*us, sliding3, 5, 1, pass(0, minute)),
	}},
	{"sliding: a clock that steps back frees nothing", []step{
		call(minute, sliding3, 1, pass(2, minute)),
		call(minute+10*us, sliding3, 2, pass(0, minute)),
		call(minute, sliding3, 1, refuse(0, minute, minute+10*us)),
		call(10*us, sliding3, 1, refuse(0, 2*minute-10*us, 2*minute)),
		call(2*minute-us, sliding3, 1, refuse(0, us, 11*us)),
		call(2*minute, sliding3, 1, pass(0, minute)),
	}},
	{"sliding: calls more than a window ahead are taken as now", []step{
		call(10*minute, sliding3, 1, pass(2, minute)),
		call(10*minute+30*second, sliding3, 1, pass(1, minute)),
		call(9*minute+30*second-us, sliding3, 2, refuse(1, minute, minute)),
		call(9*minute+30*second, sliding3, 1, pass(0, minute)),
		call(10*minute+30*second-2*us, sliding3, 1, refuse(0, us, 2*us)),
		call(10*minute+30*second-us, sliding3, 1, pass(1, minute)),
	}},
	{"sliding: what the last charge has forgotten stays forgotten when times are repaired", []step{
		call(0, sliding3, 2, pass(1, minute)),
		call(2*minute, sliding3, 1, pass(2, minute)),
		call(us, sliding3, 1, pass(1, minute)),
		call(us, sliding3, 1, pass(0, minute)),
		call(minute, sliding3, 1, refuse(0, us, us)),
	}},
	{"sliding: a charge with the clock behind counts at the newest call", []step{
		call(minute, sliding3, 1, pass(2, minute)),
		call(30*second, sliding3, 1, pass(1, 90*second)),
		call(minute+30*second, sliding3, 2, refuse(1, 30*second, 30*second)),
		call(2*minute, sliding3, 3, pass(0, minute)),
	}},
	{"sliding: the highest limit in the longest window", slices.Concat(
		ninety(slidingMost),
		[]step{
			call(0, slidingMost, 9_999, pass(1, slidingMost.Window)),
			call(us, slidingMost, 1, pass(0, slidingMost.Window)),
			call(slidingMost.Window-us, slidingMost, 1, refuse(0, us, 2*us)),
			call(slidingMost.Window, slidingMost, 10_000, pass(89_999, slidingMost.Window)),
		},
	)},
	{"sliding: a cost above the highest of a call can never pass", []step{
		call(0, slidingMost, 10_001, refuse(100_000, ratelimit.Never, 0)),
		call(0, slidingMost, 100_000, refuse(100_000, ratelimit.Never, 0)),
		call(0, slidingMost, 10_000, pass(90_000, slidingMost.Window)),
	}},
	{"sliding: the shortest window", []step{
		call(0, slidingTiny, 1, pass(0, time.Millisecond)),
		call(999*us, slidingTiny, 1, refuse(0, us, us)),
		call(1000*us, slidingTiny, 1, pass(0, time.Millisecond)),
	}},
}

// ninety takes 90,000 of 100,000.
func ninety(r *ratelimit.Rule) []step {
	var steps []step
	for left := int64(90_000); left >= 10_000; left -= 10_000 {
		steps = append(steps, call(0, r, 10_000, pass(left, r.Window)))
	}
	return steps
}
