package storetest

import (
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// utc returns when text is, since the epoch of the tests.
func utc(text string) time.Duration {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return at.Sub(time.UnixMicro(epoch))
}

func calendarCases() []scenario {
	const hour, day = time.Hour, 24 * time.Hour
	word := func(c ratelimit.Calendar, zone string) *ratelimit.Rule {
		return &ratelimit.Rule{Name: "calendar", Limit: 3, Calendar: c, Zone: zone}
	}
	full := func(c ratelimit.Calendar, zone string) ratelimit.Item {
		it := item(word(c, zone), "k")
		it.Cost = it.Limit
		return it
	}
	berlin := word(ratelimit.Day, "Europe/Berlin")
	hours := word(ratelimit.Hour, "Europe/Berlin")
	week, month := word(ratelimit.Week, "Asia/Tokyo"), word(ratelimit.Month, "America/New_York")
	midnight := utc("2023-11-14T23:00:00Z")
	spring, autumn := utc("2026-03-28T23:00:00Z"), utc("2026-10-24T22:00:00Z")
	twice := utc("2026-10-25T00:00:00Z") // 02:00 in Berlin, for the first time
	monday, first := utc("2026-02-01T15:00:00Z"), utc("2026-03-01T05:00:00Z")

	return []scenario{
		{"calendar: the day ends at midnight", []step{
			call(0, berlin, 1, pass(2, midnight)),
			call(midnight-us, berlin, 2, pass(0, us)),
			call(midnight-us, berlin, 1, refuse(0, us, us)),
			call(midnight, berlin, 1, pass(2, day)),
			call(midnight+us, berlin, 3, refuse(2, day-us, day-us)),
			call(midnight+us, berlin, 4, refuse(2, ratelimit.Never, day-us)),
		}},
		{"calendar: the day on which summer time begins has 23 hours, the one on which it ends 25", []step{
			call(spring, berlin, 3, pass(0, 23*hour)),
			call(spring+23*hour-us, berlin, 1, refuse(0, us, us)),
			call(spring+23*hour, berlin, 1, pass(2, day)),
			call(autumn, berlin, 3, pass(0, 25*hour)),
			call(autumn+25*hour-us, berlin, 1, refuse(0, us, us)),
			call(autumn+25*hour, berlin, 1, pass(2, day)),
		}},
		{"calendar: the hour that is repeated is two windows", []step{
			call(twice, hours, 3, pass(0, hour)),
			call(twice+hour-us, hours, 1, refuse(0, us, us)),
			call(twice+hour, hours, 3, pass(0, hour)),
			call(twice+hour, hours, 1, refuse(0, hour, hour)),
			call(twice+2*hour, hours, 1, pass(2, hour)),
		}},
		{"calendar: weeks and months", []step{
			call(monday-us, week, 3, pass(0, us)),
			call(monday, week, 3, pass(0, 7*day)),
			call(monday+7*day-us, week, 1, refuse(0, us, us)),
			call(monday+7*day, week, 1, pass(2, 7*day)),
			call(first-us, month, 3, pass(0, us)),
			call(first, month, 3, pass(0, 31*day-hour)),
			call(first+31*day-hour, month, 1, pass(2, 30*day)),
		}},
		{"calendar: words and zones are apart, but no zone is UTC", []step{
			verdicts(0, []ratelimit.Item{full(ratelimit.Hour, "UTC")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Hour, "")}, false),
			verdicts(0, []ratelimit.Item{full(ratelimit.Hour, "Europe/Berlin")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Minute, "UTC")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Day, "Europe/Berlin")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Day, "Europe/Paris")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Week, "Europe/Paris")}, true),
			verdicts(0, []ratelimit.Item{full(ratelimit.Day, "Europe/Paris")}, false),
		}},
		{"calendar: windows without calls in between", []step{
			call(0, berlin, 3, pass(0, midnight)),
			call(midnight+10*day, berlin, 3, pass(0, day)),
		}},
		{"calendar: a changed limit applies at once to what is counted", []step{
			callLimit(0, berlin, 5, 4, pass(1, midnight)),
			callLimit(us, berlin, 2, 1, refuse(0, midnight-us, midnight-us)),
			callLimit(us, berlin, 10, 6, pass(0, midnight-us)),
		}},
		{"calendar: a clock that steps back frees nothing", []step{
			call(midnight, berlin, 2, pass(1, day)),
			call(midnight-us, berlin, 2, refuse(1, day+us, day+us)),
			call(midnight-day, berlin, 1, pass(0, 2*day)),
			call(midnight-us, berlin, 1, refuse(0, day+us, day+us)),
			call(midnight+day, berlin, 1, pass(2, day)),
		}},
		{"calendar: a window beyond the next one is taken for the present one", []step{
			call(midnight, berlin, 2, pass(1, day)),
			call(midnight-day-us, berlin, 2, refuse(1, us, us)),
			call(midnight-day-us, berlin, 1, pass(0, us)),
			call(midnight-day, berlin, 1, pass(2, day)),
		}},
	}
}
