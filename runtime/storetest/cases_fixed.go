package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

var (
	fixed3    = rule("fixed3", ratelimit.FixedWindow, 3, minute)
	fixedHuge = rule("fixedHuge", ratelimit.FixedWindow, huge, 10*366*24*time.Hour)
	fixedTiny = rule("fixedTiny", ratelimit.FixedWindow, 1, time.Millisecond)
)

var fixedCases = []scenario{
	{"fixed: the first call opens the window", []step{
		call(0, fixed3, 1, pass(2, minute)),
		call(0, fixed3, 1, pass(1, minute)),
		call(10*us, fixed3, 1, pass(0, minute-10*us)),
		call(10*us, fixed3, 1, refuse(0, minute-10*us, minute-10*us)),
	}},
	{"fixed: one microsecond before the window ends a call is refused, at its end it passes", []step{
		call(7*us, fixed3, 3, pass(0, minute)),
		call(minute+6*us, fixed3, 1, refuse(0, us, us)),
		call(minute+7*us, fixed3, 1, pass(2, minute)),
		call(minute+7*us, fixed3, 2, pass(0, minute)),
		call(2*minute+6*us, fixed3, 1, refuse(0, us, us)),
		call(2*minute+7*us, fixed3, 1, pass(2, minute)),
	}},
	{"fixed: a cost takes all or nothing", []step{
		call(0, fixed3, 2, pass(1, minute)),
		call(us, fixed3, 2, refuse(1, minute-us, minute-us)),
		call(us, fixed3, 1, pass(0, minute-us)),
	}},
	{"fixed: a cost above the limit can never pass", []step{
		call(0, fixed3, 4, refuse(3, ratelimit.Never, 0)),
		call(0, fixed3, ratelimit.MaxCost, refuse(3, ratelimit.Never, 0)),
		call(0, fixed3, 3, pass(0, minute)),
		call(us, fixed3, 4, refuse(0, ratelimit.Never, minute-us)),
	}},
	{"fixed: a refusal charges nothing and opens no window", []step{
		call(0, fixed3, 4, refuse(3, ratelimit.Never, 0)),
		call(time.Second, fixed3, 1, pass(2, minute)),
		call(2*time.Second, fixed3, 3, refuse(2, minute-time.Second, minute-time.Second)),
		call(3*time.Second, fixed3, 2, pass(0, minute-2*time.Second)),
	}},
	{"fixed: a changed limit applies at once to what is counted", []step{
		callLimit(0, fixed3, 5, 4, pass(1, minute)),
		callLimit(us, fixed3, 2, 1, refuse(0, minute-us, minute-us)),
		callLimit(us, fixed3, 4, 1, refuse(0, minute-us, minute-us)),
		callLimit(us, fixed3, 10, 6, pass(0, minute-us)),
		callLimit(minute, fixed3, 2, 2, pass(0, minute)),
	}},
	{"fixed: a clock that steps back frees nothing", []step{
		call(minute, fixed3, 3, pass(0, minute)),
		call(minute-us, fixed3, 1, refuse(0, minute+us, minute+us)),
		call(0, fixed3, 1, refuse(0, 2*minute, 2*minute)),
		call(2*minute-us, fixed3, 1, refuse(0, us, us)),
		call(2*minute, fixed3, 1, pass(2, minute)),
	}},
	{"fixed: a window that starts more than a window ahead starts now", []step{
		call(10*minute, fixed3, 2, pass(1, minute)),
		call(9*minute-us, fixed3, 2, refuse(1, minute, minute)),
		call(9*minute, fixed3, 1, pass(0, minute-us)),
		call(10*minute-2*us, fixed3, 1, refuse(0, us, us)),
		call(10*minute-us, fixed3, 1, pass(2, minute)),
	}},
	{"fixed: a charge with the clock behind counts in the window ahead", []step{
		call(minute, fixed3, 1, pass(2, minute)),
		call(time.Second, fixed3, 1, pass(1, 2*minute-time.Second)),
		call(2*minute-us, fixed3, 2, refuse(1, us, us)),
	}},
	{"fixed: the highest limit in the longest window", []step{
		call(0, fixedHuge, huge-1, pass(1, fixedHuge.Window)),
		call(us, fixedHuge, 2, refuse(1, fixedHuge.Window-us, fixedHuge.Window-us)),
		call(us, fixedHuge, 1, pass(0, fixedHuge.Window-us)),
		call(fixedHuge.Window-us, fixedHuge, 1, refuse(0, us, us)),
		call(fixedHuge.Window-us, fixedHuge, huge+1, refuse(0, ratelimit.Never, us)),
		call(fixedHuge.Window, fixedHuge, huge, pass(0, fixedHuge.Window)),
	}},
	{"fixed: the shortest window", []step{
		call(0, fixedTiny, 1, pass(0, time.Millisecond)),
		call(999*us, fixedTiny, 1, refuse(0, us, us)),
		call(1000*us, fixedTiny, 1, pass(0, time.Millisecond)),
	}},
}
