package rules

import (
	"strings"
	"testing"
	"time"
)

func TestCheck(t *testing.T) {
	minute := time.Minute
	for _, c := range []struct {
		name string
		spec Spec
		item string // "" is no fault
		text string
	}{
		{"fixed", Spec{Limit: MaxLimit, Window: MaxWindow}, "", ""},
		{"limit of the request", Spec{Window: MinWindow}, "", ""},
		{"negative limit", Spec{Limit: -1, Window: minute}, "limit", "negative"},
		{"limit too high", Spec{Limit: MaxLimit + 1, Window: minute}, "limit", "above 9007199254740992"},
		{"sliding", Spec{Algorithm: SlidingWindow, Limit: MaxEntries, Window: minute}, "", ""},
		{"sliding limit too high", Spec{Algorithm: SlidingWindow, Limit: MaxEntries + 1, Window: minute}, "limit", "above 100000"},
		{"counter", Spec{Algorithm: SlidingCounter, Limit: MaxLimit, Window: MaxWindow}, "", ""},
		{"no algorithm", Spec{Algorithm: 77, Limit: 1, Window: minute}, "algorithm", "77"},
		{"no window", Spec{Limit: 1}, "window", "longer than 0"},
		{"window too short", Spec{Limit: 1, Window: MinWindow - 1}, "window", "too short"},
		{"window too long", Spec{Limit: 1, Window: MaxWindow + time.Microsecond}, "window", "too long"},
		{"window with nanoseconds", Spec{Limit: 1, Window: minute + 1}, "window", "microseconds"},

		{"token", Spec{Algorithm: TokenBucket, Limit: MaxLimit, Window: MaxWindow}, "", ""},
		{"token with a burst", Spec{Algorithm: TokenBucket, Limit: 1, Burst: 100, Window: minute}, "", ""},
		{"token with the highest burst", Spec{Algorithm: TokenBucket, Limit: MaxLimit, Burst: MaxLimit, Window: minute}, "", ""},
		{"burst too high", Spec{Algorithm: TokenBucket, Limit: MaxLimit, Burst: MaxLimit + 1, Window: minute}, "burst", "above"},
		{"negative burst", Spec{Algorithm: LeakyBucket, Limit: 1, Burst: -2, Window: minute}, "burst", "negative"},
		{"a token bucket that holds nothing", Spec{Algorithm: TokenBucket, Limit: 1, Burst: NoQueue, Window: minute}, "burst", "negative"},
		{"a leaky bucket without a queue", Spec{Algorithm: LeakyBucket, Limit: 1, Burst: NoQueue, Window: minute}, "", ""},
		{"leaky limit too high", Spec{Algorithm: LeakyBucket, Limit: MaxLimit, Window: minute}, "limit", "above"},
		{"burst of a fixed window", Spec{Limit: 1, Burst: 1, Window: minute}, "burst", "fixed has none"},
		{"a hundred years to drain", Spec{Algorithm: TokenBucket, Limit: 1, Burst: 10, Window: MaxWindow}, "", ""},
		{"more than a hundred years to drain", Spec{Algorithm: TokenBucket, Limit: 1, Burst: 11, Window: MaxWindow}, "burst", "hundred years"},
		{"far more than that", Spec{Algorithm: LeakyBucket, Limit: 1, Burst: MaxLimit - 1, Window: MaxWindow}, "burst", "hundred years"},
		{"far more than that, with the request's limit", Spec{Algorithm: LeakyBucket, Burst: MaxLimit - 1, Window: MaxWindow}, "", ""},

		{"day", Spec{Limit: 1, Calendar: Day, Zone: "Europe/Berlin"}, "", ""},
		{"hour", Spec{Limit: 1, Calendar: Hour}, "", ""},
		{"day without a zone", Spec{Limit: 1, Calendar: Day}, "tz", "missing"},
		{"unknown zone", Spec{Limit: 1, Calendar: Day, Zone: "Europe/Atlantis"}, "tz", "Atlantis"},
		{"local zone", Spec{Limit: 1, Calendar: Hour, Zone: "Local"}, "tz", "machine"},
		{"zone without a calendar", Spec{Limit: 1, Window: minute, Zone: "UTC"}, "tz", "calendar"},
		{"window and calendar", Spec{Limit: 1, Window: minute, Calendar: Day, Zone: "UTC"}, "window", "exclude"},
		{"sliding days", Spec{Algorithm: SlidingWindow, Limit: 1, Calendar: Day, Zone: "UTC"}, "window", "sliding"},
		{"unknown calendar", Spec{Limit: 1, Calendar: 77}, "window", "77"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.spec.Check()
			switch {
			case f == nil && c.item != "":
				t.Error("no fault")
			case f != nil && (f.Item != c.item || !strings.Contains(f.Text, c.text) || c.item == ""):
				t.Errorf("fault %v, want %s: ...%s...", f, c.item, c.text)
			}
		})
	}
}

func TestCheckLimitOfRequest(t *testing.T) {
	s := Spec{Algorithm: TokenBucket, Burst: 1000, Window: 366 * 24 * time.Hour}
	if f := s.CheckLimit(10); f != nil {
		t.Errorf("a hundred years to drain: %v", f)
	}
	if f := s.CheckLimit(9); f == nil || f.Item != "burst" {
		t.Errorf("more than that: %v", f)
	}
}

func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		spec              Spec
		limit             int64
		capacity, maxCost int64
	}{
		{Spec{Algorithm: FixedWindow}, MaxLimit, MaxLimit, MaxLimit},
		{Spec{Algorithm: SlidingWindow}, 5, 5, 5},
		{Spec{Algorithm: SlidingWindow}, MaxEntries, MaxEntries, MaxCharge},
		{Spec{Algorithm: SlidingCounter}, 7, 7, 7},
		{Spec{Algorithm: TokenBucket}, 7, 7, 7},
		{Spec{Algorithm: TokenBucket, Burst: 3}, 7, 3, 3},
		{Spec{Algorithm: LeakyBucket}, 7, 8, 8},
		{Spec{Algorithm: LeakyBucket, Burst: 3}, 7, 4, 4},
		{Spec{Algorithm: LeakyBucket, Burst: NoQueue}, 7, 1, 1},
		{Spec{Algorithm: LeakyBucket}, MaxLimit - 1, MaxLimit, MaxLimit},
	} {
		if got, cost := c.spec.Capacity(c.limit), c.spec.MaxCost(c.limit); got != c.capacity || cost != c.maxCost {
			t.Errorf("%+v at %d: capacity %d, highest cost %d, want %d, %d", c.spec, c.limit, got, cost, c.capacity, c.maxCost)
		}
	}
}

func TestPhrase(t *testing.T) {
	for _, c := range []struct {
		spec          Spec
		phrase, worst string
	}{
		{Spec{Limit: 1, Window: time.Minute}, "1 call in 1m0s from the first one", "up to 2 can pass"},
		{Spec{Algorithm: SlidingWindow, Limit: 3, Window: time.Minute}, "3 calls in any 1m0s", ""},
		{Spec{Algorithm: SlidingCounter, Limit: 3, Window: time.Minute}, "about 3 calls in any 1m0s", "up to 5 can pass"},
		{Spec{Algorithm: SlidingCounter, Limit: 1, Window: time.Minute}, "about 1 call in any 1m0s", ""},
		{Spec{Algorithm: TokenBucket, Limit: 3, Burst: 9, Window: time.Minute}, "3 calls in 1m0s on average, up to 9 at once", "up to 12 can pass"},
		{Spec{Algorithm: LeakyBucket, Limit: 3, Window: time.Minute}, "3 calls in 1m0s at a constant rate, up to 3 waiting", ""},
		{Spec{Limit: 3, Calendar: Day, Zone: "Asia/Tokyo"}, "3 calls in a day of the calendar of Asia/Tokyo", "up to 6 can pass"},
		{Spec{Limit: 3, Calendar: Hour}, "3 calls in an hour of the calendar", "up to 6 can pass"},
	} {
		phrase, worst := c.spec.Phrase(c.spec.Limit), c.spec.Worst(c.spec.Limit)
		if phrase != c.phrase || !strings.HasPrefix(worst, c.worst) || (c.worst == "") != (worst == "") {
			t.Errorf("%+v: %q, %q, want %q, %q", c.spec, phrase, worst, c.phrase, c.worst)
		}
	}
}

func TestAlgorithms(t *testing.T) {
	marks := map[byte]bool{CalendarMark: true}
	for _, a := range Algorithms() {
		info := a.Info()
		if marks[info.Mark] {
			t.Errorf("%s: mark %c is taken", info.Item, info.Mark)
		}
		marks[info.Mark] = true
		if got, ok := ByItem(info.Item); !ok || got != a {
			t.Errorf("%s: %v, %v", info.Item, got, ok)
		}
	}
	if _, ok := ByItem("leeky"); ok {
		t.Error("an unknown item names an algorithm")
	}
}

func TestCheckName(t *testing.T) {
	for name, good := range map[string]bool{
		"a": true, "sms.Service.Send": true, "a.2": true, "_x.ü": true, strings.Repeat("n", MaxName): true,
		"": false, "a.": false, ".a": false, "a..b": false, "a b": false, "a:b": false, "a{b": false,
		strings.Repeat("n", MaxName+1): false,
	} {
		if f := CheckName(name); (f == nil) != good {
			t.Errorf("%q: %v", name, f)
		}
	}
}
