package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// faultCases are what users of other limiters have met, each under the name
// of the fault.
func faultCases() []scenario {
	const day = 24 * time.Hour
	perSecond := rule("fault", ratelimit.SlidingWindow, 100, second)
	half := rule("fault", ratelimit.SlidingWindow, 3, 500*time.Millisecond)
	perDay := rule("fault", ratelimit.SlidingCounter, 200_000, day)
	bucket := bucketOf("fault", ratelimit.TokenBucket, 100, 0, second)
	thousands := rule("fault", ratelimit.FixedWindow, 5000, second)
	return []scenario{
		{"fault: 100 per second admit 199 in the first second", []step{
			call(0, perSecond, 1, pass(99, second)),
			call(second-us, perSecond, 99, pass(0, second)),
			call(second, perSecond, 2, refuse(1, second-us, second-us)),
			call(second, perSecond, 1, pass(0, second)),
			call(2*second-2*us, perSecond, 1, refuse(0, us, 2*us)),
		}},
		{"fault: callers whose clocks are a second apart refill the bucket again and again", []step{
			call(2*second, bucket, 100, pass(0, second)),
			call(second, bucket, 1, refuse(0, second+10*time.Millisecond, 2*second)),
			call(2*second, bucket, 1, refuse(0, 10*time.Millisecond, second)),
			call(second, bucket, 1, refuse(0, second+10*time.Millisecond, 2*second)),
			call(2*second+10*time.Millisecond, bucket, 1, pass(0, second)),
			call(second+10*time.Millisecond, bucket, 1, refuse(0, second+10*time.Millisecond, 2*second)),
		}},
		{"fault: state dies early, and with it the count of half a second", []step{
			call(us, half, 3, pass(0, half.Window)),
			call(500*time.Millisecond, half, 1, refuse(0, us, us)),
			call(500*time.Millisecond+us, half, 3, pass(0, half.Window)),
		}},
		{"fault: refused calls are charged, or lock the window", []step{
			call(0, half, 2, pass(1, half.Window)),
			call(us, half, 1000, refuse(1, ratelimit.Never, half.Window-us)),
			call(us, half, 3, refuse(1, half.Window-us, half.Window-us)),
			call(us, half, 2, refuse(1, half.Window-us, half.Window-us)),
			call(us, half, 1, pass(0, half.Window)),
		}},
		{"fault: more than 106,752 a day overflow", []step{
			verdicts(0, cost(perDay, 200_000), true),
			verdicts(us, cost(perDay, 1), false),
			verdicts(day, cost(perDay, 185_186), false),
			verdicts(day, cost(perDay, 185_185), true),
			verdicts(3*day, cost(perDay, 200_000), true),
			verdicts(3*day, cost(perDay, 1), false),
		}},
		{"fault: thresholds above 1000 never throttle", []step{
			call(0, thousands, 4999, pass(1, second)),
			call(500*us, thousands, 1, pass(0, second-500*us)),
			call(900*us, thousands, 1, refuse(0, second-900*us, second-900*us)),
		}},
	}
}

func cost(r *ratelimit.Rule, n int64) []ratelimit.Item {
	it := item(r, "k")
	it.Cost = n
	return []ratelimit.Item{it}
}
