package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

func bucketOf(name string, a ratelimit.Algorithm, limit, burst int64, w time.Duration) *ratelimit.Rule {
	return &ratelimit.Rule{Name: name, Algorithm: a, Limit: limit, Burst: burst, Window: w}
}

var (
	token3     = bucketOf("token3", ratelimit.TokenBucket, 60, 3, minute) // one a second
	token7     = bucketOf("token7", ratelimit.TokenBucket, 7, 0, minute)
	token60    = bucketOf("token60", ratelimit.TokenBucket, 60, 0, minute)
	tokenFast  = bucketOf("tokenFast", ratelimit.TokenBucket, 1_000_000, 0, second)
	tokenMonth = bucketOf("tokenMonth", ratelimit.TokenBucket, 1_000_000_000, 0, 30*24*time.Hour)
	tokenHuge  = bucketOf("tokenHuge", ratelimit.TokenBucket, huge, 0, 10*366*24*time.Hour)
	tokenSlow  = bucketOf("tokenSlow", ratelimit.TokenBucket, 1, 10, 10*366*24*time.Hour)
)

var tokenCases = []scenario{
	{"token: starts full and refills at a constant rate", []step{
		call(0, token3, 1, pass(2, second)),
		call(0, token3, 1, pass(1, 2*second)),
		call(0, token3, 1, pass(0, 3*second)),
		call(0, token3, 1, refuse(0, second, 3*second)),
		call(second-us, token3, 1, refuse(0, us, 2*second+us)),
		call(second, token3, 1, pass(0, 3*second)),
		call(2*second+second/2, token3, 1, pass(0, 2*second+second/2)),
		call(minute, token3, 3, pass(0, 3*second)),
	}},
	{"token: a cost of k waits for k tokens", []step{
		call(0, token3, 3, pass(0, 3*second)),
		call(second/2, token3, 2, refuse(0, second+second/2, 2*second+second/2)),
		call(second+second/2, token3, 2, refuse(1, second/2, second+second/2)),
		call(2*second-us, token3, 2, refuse(1, us, second+us)),
		call(2*second, token3, 2, pass(0, 3*second)),
		call(2*second, token3, 4, refuse(0, ratelimit.Never, 3*second)),
	}},
	{"token: what is less than a token is not lost", []step{
		call(0, token7, 7, pass(0, minute)),
		call(us, token7, 1, refuse(0, 8_571_428*us, minute-us)),
		call(8_571_428*us, token7, 1, refuse(0, us, minute-8_571_428*us)),
		call(8_571_429*us, token7, 1, pass(0, minute)),
		call(17_142_857*us, token7, 1, refuse(0, us, minute-8_571_428*us)),
		call(17_142_858*us, token7, 1, pass(0, minute)),
		call(25_714_286*us, token7, 1, pass(0, 59_999_999*us+us)),
		call(minute, token7, 4, pass(0, minute)),
	}},
	{"token: a raised limit refills faster from the last charge on", []step{
		callLimit(0, token60, 6, 6, pass(0, minute)),
		callLimit(0, token60, 60, 54, pass(0, minute)),
		callLimit(second, token60, 60, 1, pass(0, minute)),
		callLimit(second, token60, 6, 1, refuse(0, 55*second, minute)),
	}},
	{"token: a lowered limit refills slower from the next charge on", []step{
		callLimit(0, token60, 60, 10, pass(50, 10*second)),
		callLimit(0, token60, 6, 1, refuse(0, 5*second, 10*second)),
		callLimit(5*second-us, token60, 6, 1, refuse(0, us, 5*second+us)),
		callLimit(5*second, token60, 6, 1, pass(0, minute)),
		callLimit(15*second-us, token60, 6, 1, refuse(0, us, 50*second+us)),
		callLimit(15*second, token60, 6, 1, pass(0, minute)),
	}},
	{"token: a clock that steps back frees nothing", []step{
		call(minute, token3, 3, pass(0, 3*second)),
		call(minute-us, token3, 1, refuse(0, second+us, 3*second+us)),
		call(0, token3, 1, refuse(0, minute+second, minute+3*second)),
		call(minute+second, token3, 1, pass(0, 3*second)),
		call(minute+second/2, token3, 1, refuse(0, second+second/2, 3*second+second/2)),
	}},
	{"token: a charge more than a window ahead is taken as now", []step{
		call(minute, token3, 3, pass(0, 3*second)),
		call(-us, token3, 1, refuse(0, second, 3*second)),
		call(second-2*us, token3, 1, refuse(0, us, 2*second+us)),
		call(second-us, token3, 1, pass(0, 3*second)),
	}},
	{"token: two callers whose clocks differ get no more", []step{
		call(second, token3, 3, pass(0, 3*second)),
		call(0, token3, 1, refuse(0, 2*second, 4*second)),
		call(second, token3, 1, refuse(0, second, 3*second)),
		call(0, token3, 1, refuse(0, 2*second, 4*second)),
		call(2*second-us, token3, 1, refuse(0, us, 2*second+us)),
	}},
	{"token: a million a second", []step{
		call(0, tokenFast, 1_000_000, pass(0, second)),
		call(us, tokenFast, 2, refuse(1, us, second-us)),
		call(us, tokenFast, 1, pass(0, second)),
		call(us, tokenFast, 1, refuse(0, us, second)),
	}},
	{"token: a billion a month", []step{
		call(0, tokenMonth, 1_000_000_000, pass(0, tokenMonth.Window)),
		call(2591*us, tokenMonth, 1, refuse(0, us, tokenMonth.Window-2591*us)),
		call(2592*us, tokenMonth, 1, pass(0, tokenMonth.Window)),
		call(tokenMonth.Window, tokenMonth, 999_999_999, pass(0, tokenMonth.Window)),
	}},
	{"token: the highest limit in the longest window", []step{
		call(0, tokenHuge, huge, pass(0, tokenHuge.Window)),
		call(us, tokenHuge, 29, refuse(28, us, tokenHuge.Window-us)),
		call(us, tokenHuge, 28, pass(0, tokenHuge.Window)),
		call(2*us, tokenHuge, 29, refuse(28, us, tokenHuge.Window-us)),
		call(3*us, tokenHuge, 58, refuse(57, us, tokenHuge.Window-2*us)),
		call(3*us, tokenHuge, 57, pass(0, tokenHuge.Window)),
	}},
	{"token: a hundred years to refill", []step{
		call(0, tokenSlow, 10, pass(0, 10*tokenSlow.Window)),
		call(tokenSlow.Window-us, tokenSlow, 1, refuse(0, us, 9*tokenSlow.Window+us)),
		call(tokenSlow.Window, tokenSlow, 1, pass(0, 10*tokenSlow.Window)),
	}},
}
