package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

var (
	leaky2    = bucketOf("leaky2", ratelimit.LeakyBucket, 60, 2, minute) // one a second
	leaky7    = bucketOf("leaky7", ratelimit.LeakyBucket, 7, 0, minute)
	leakyNone = bucketOf("leakyNone", ratelimit.LeakyBucket, 60, ratelimit.NoQueue, minute)
)

// turn is a call that passes and waits for its turn.
func turn(remaining int64, reset, delay time.Duration) ratelimit.Result {
	r := pass(remaining, reset)
	r.Delay = delay
	return r
}

// callWithin is a call that does not wait longer than most.
func callWithin(at time.Duration, r *ratelimit.Rule, most time.Duration, want ratelimit.Result) step {
	s := call(at, r, 1, want)
	s.items[0].MaxDelay = most
	return s
}

var leakyCases = []scenario{
	{"leaky: one goes at once, burst more wait for their turn", []step{
		call(0, leaky2, 1, turn(2, second, 0)),
		call(0, leaky2, 1, turn(1, 2*second, second)),
		call(0, leaky2, 1, turn(0, 3*second, 2*second)),
		call(0, leaky2, 1, refuse(0, second, 3*second)),
		call(second-us, leaky2, 1, refuse(0, us, 2*second+us)),
		call(second, leaky2, 1, turn(0, 3*second, 2*second)),
		call(2*second+second/2, leaky2, 1, turn(0, 2*second+second/2, second+second/2)),
		call(minute, leaky2, 1, turn(2, second, 0)),
	}},
	{"leaky: a cost of k keeps the next one waiting k times as long", []step{
		call(0, leaky2, 2, turn(1, 2*second, 0)),
		call(0, leaky2, 1, turn(0, 3*second, 2*second)),
		call(0, leaky2, 3, refuse(0, 3*second, 3*second)),
		call(0, leaky2, 4, refuse(0, ratelimit.Never, 3*second)),
		call(second, leaky2, 2, refuse(1, second, 2*second)),
		call(2*second, leaky2, 2, turn(0, 3*second, second)),
	}},
	{"leaky: turns are not too early where the rate is uneven", []step{
		call(0, leaky7, 1, turn(7, 8_571_429*us, 0)),
		call(0, leaky7, 1, turn(6, 17_142_858*us, 8_571_429*us)),
		call(us, leaky7, 1, turn(5, 25_714_285*us, 17_142_857*us)),
		call(minute, leaky7, 1, turn(7, 8_571_429*us, 0)),
	}},
	{"leaky: without a queue nobody waits", []step{
		call(0, leakyNone, 1, turn(0, second, 0)),
		call(us, leakyNone, 1, refuse(0, second-us, second-us)),
		call(second-us, leakyNone, 1, refuse(0, us, us)),
		call(second, leakyNone, 1, turn(0, second, 0)),
		call(second, leakyNone, 2, refuse(0, ratelimit.Never, second)),
	}},
	{"leaky: a turn further off than the call waits is a refusal", []step{
		callWithin(0, leaky2, second+second/2, turn(2, second, 0)),
		callWithin(0, leaky2, second+second/2, turn(1, 2*second, second)),
		callWithin(0, leaky2, second+second/2, refuse(1, second/2, 2*second)),
		callWithin(second/2-us, leaky2, second+second/2, refuse(1, us, second+second/2+us)),
		callWithin(second/2, leaky2, second+second/2, turn(0, 2*second+second/2, second+second/2)),
		callWithin(second/2, leaky2, minute, refuse(0, second/2, 2*second+second/2)),
		callWithin(second, leaky2, us, refuse(1, 2*second-us, 2*second)),
		callWithin(second, leaky2, us-1, refuse(1, 2*second, 2*second)),
		call(second, leaky2, 1, turn(0, 3*second, 2*second)),
	}},
	{"leaky: a delay is that of a call that is charged", []step{
		calls(0, []ratelimit.Item{tagged(leaky2, "k", 2)}, turn(1, 2*second, 0)),
		calls(0, []ratelimit.Item{tagged(leakyNone, "k", 1)}, turn(0, second, 0)),
		calls(0, []ratelimit.Item{tagged(leaky2, "k", 1), tagged(leakyNone, "k", 1)},
			pass(1, 2*second), refuse(0, second, second)),
	}},
	{"leaky: a changed limit applies to the turns of later calls", []step{
		callLimit(0, leaky7, 60, 5, turn(56, 5*second, 0)),
		callLimit(0, leaky7, 6, 1, turn(1, minute, 50*second)),
		callLimit(0, leaky7, 60, 1, turn(54, 7*second, 6*second)),
		callLimit(0, leaky7, 6, 1, refuse(0, second, 7*second)),
	}},
	{"leaky: a clock that steps back frees nothing", []step{
		call(minute, leaky2, 1, turn(2, second, 0)),
		call(minute-us, leaky2, 1, turn(1, 2*second+us, second+us)),
		call(0, leaky2, 1, turn(0, minute+3*second, minute+2*second)),
		call(0, leaky2, 1, refuse(0, minute+second, minute+3*second)),
		call(-us, leaky2, 1, refuse(0, second, 3*second)),
		call(second-us, leaky2, 1, turn(0, 3*second, 2*second)),
	}},
}
