package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

var (
	counter10   = rule("counter10", ratelimit.SlidingCounter, 10, minute)
	counterHuge = rule("counterHuge", ratelimit.SlidingCounter, huge, 10*366*24*time.Hour)
)

const (
	// minuteEdge and hugeEdge are the first times at which a minute and a
	// window of counterHuge begin.
	minuteEdge = 39_876_543 * us
	hugeEdge   = 197_343_999_876_543 * us
)

var counterCases = []scenario{
	{"counter: the window before weighs as if its calls had come evenly", []step{
		call(minuteEdge, counter10, 10, pass(0, 2*minute)),
		call(minuteEdge+minute-us, counter10, 1, refuse(0, 6*second+us, minute+us)),
		call(minuteEdge+minute+6*second-us, counter10, 1, refuse(0, us, 54*second+us)),
		call(minuteEdge+minute+6*second, counter10, 1, pass(0, 114*second)),
		call(minuteEdge+minute+6*second, counter10, 1, refuse(0, 6*second, 114*second)),
		call(minuteEdge+minute+12*second, counter10, 1, pass(0, 108*second)),
		call(minuteEdge+2*minute, counter10, 8, pass(0, 2*minute)),
		call(minuteEdge+2*minute, counter10, 1, refuse(0, 30*second, 2*minute)),
		call(minuteEdge+2*minute+30*second-us, counter10, 1, refuse(0, us, 90*second+us)),
		call(minuteEdge+2*minute+30*second, counter10, 1, pass(0, 90*second)),
	}},
	{"counter: a call may have to wait for the next window, or into it", []step{
		call(minuteEdge, counter10, 2, pass(8, 2*minute)),
		call(minuteEdge+minute+30*second, counter10, 9, pass(0, 90*second)),
		call(minuteEdge+minute+30*second, counter10, 1, refuse(0, 30*second, 90*second)),
		call(minuteEdge+minute+30*second, counter10, 2, refuse(0, 36_666_667*us, 90*second)),
		call(minuteEdge+minute+30*second, counter10, 10, refuse(0, 90*second, 90*second)),
		call(minuteEdge+2*minute-us, counter10, 1, refuse(0, us, minute+us)),
		call(minuteEdge+2*minute, counter10, 2, refuse(1, 6_666_667*us, minute)),
		call(minuteEdge+2*minute+6_666_666*us, counter10, 2, refuse(1, us, minute-6_666_666*us)),
		call(minuteEdge+2*minute+6_666_667*us, counter10, 2, pass(0, 2*minute-6_666_667*us)),
	}},
	{"counter: a full cost waits until all is forgotten", []step{
		call(minuteEdge, counter10, 10, pass(0, 2*minute)),
		call(minuteEdge, counter10, 10, refuse(0, 2*minute, 2*minute)),
		call(minuteEdge+2*minute-us, counter10, 10, refuse(9, us, us)),
		call(minuteEdge+2*minute, counter10, 10, pass(0, 2*minute)),
		call(minuteEdge+2*minute, counter10, 11, refuse(0, ratelimit.Never, 2*minute)),
		call(minuteEdge+9*minute, counter10, 1, pass(9, 2*minute)),
	}},
	{"counter: windows don't wait for the first call", []step{
		call(0, counter10, 1, pass(9, minuteEdge+minute)),
		call(minuteEdge-us, counter10, 9, pass(0, minute+us)),
		call(minuteEdge, counter10, 1, refuse(0, 6*second, minute)),
	}},
	{"counter: a changed limit applies at once to what is counted", []step{
		callLimit(minuteEdge, counter10, 10, 8, pass(2, 2*minute)),
		callLimit(minuteEdge, counter10, 4, 1, refuse(0, 97_500*time.Millisecond, 2*minute)),
		callLimit(minuteEdge, counter10, 20, 12, pass(0, 2*minute)),
		callLimit(minuteEdge+minute, counter10, 5, 1, refuse(0, 48*second, minute)),
	}},
	{"counter: a clock that steps back frees nothing", []step{
		call(minuteEdge+90*second, counter10, 5, pass(5, 90*second)),
		call(minuteEdge+30*second, counter10, 6, refuse(5, 102*second, 150*second)),
		call(minuteEdge, counter10, 5, pass(0, 3*minute)),
		call(minuteEdge+minute, counter10, 1, refuse(0, 66*second, 2*minute)),
	}},
	{"counter: counts more than a window ahead are taken as now", []step{
		call(minuteEdge+9*minute, counter10, 3, pass(7, 2*minute)),
		call(minuteEdge+10*minute, counter10, 5, pass(2, 2*minute)),
		call(minuteEdge+9*minute, counter10, 3, refuse(2, 80*second, 3*minute)),
		call(minuteEdge+9*minute-us, counter10, 6, refuse(4, 12*second+us, minute+us)),
		call(minuteEdge+9*minute-us, counter10, 4, pass(0, minute+us)),
		call(minuteEdge+9*minute, counter10, 2, refuse(1, 6_666_667*us, minute)),
	}},
	{"counter: the highest limit in the longest window", []step{
		call(hugeEdge, counterHuge, huge, pass(0, 2*counterHuge.Window)),
		call(hugeEdge+counterHuge.Window, counterHuge, 1, refuse(0, us, counterHuge.Window)),
		call(hugeEdge+counterHuge.Window+us, counterHuge, 29, refuse(28, us, counterHuge.Window-us)),
		call(hugeEdge+counterHuge.Window+us, counterHuge, 28, pass(0, 2*counterHuge.Window-us)),
	}},
}
