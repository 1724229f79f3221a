package ratelimit

import (
	"testing"
	"time"
)

func TestRulesThatDiffer(t *testing.T) {
	token := Rule{Name: "r", Algorithm: TokenBucket, Limit: 5, Window: time.Minute, Burst: 9}
	day := Rule{Name: "r", Limit: 5, Calendar: Day, Zone: "Europe/Berlin"}
	hour := Rule{Name: "r", Limit: 5, Calendar: Hour}
	for _, c := range []struct {
		name   string
		rule   Rule
		change func(*Rule)
		want   string
	}{
		{"nothing", token, func(*Rule) {}, ""},
		{"message", token, func(r *Rule) { r.Message = "m" }, ""},
		{"algorithm", token, func(r *Rule) { r.Algorithm = LeakyBucket }, "algorithm"},
		{"limit", token, func(r *Rule) { r.Limit++ }, "limit"},
		{"window", token, func(r *Rule) { r.Window *= 2 }, "window"},
		{"burst", token, func(r *Rule) { r.Burst = 0 }, "burst"},
		{"tag", token, func(r *Rule) { r.Tag = "t" }, "tag"},
		{"calendar", day, func(r *Rule) { r.Calendar = Week }, "window"},
		{"zone", day, func(r *Rule) { r.Zone = "Asia/Tokyo" }, "time zone"},
		{"another name of UTC", hour, func(r *Rule) { r.Zone = "UTC" }, ""},
	} {
		other := c.rule
		c.change(&other)
		if got := c.rule.differs(&other); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRequestLimitIsCheckedWithBurst(t *testing.T) {
	r := &Rule{Name: "r", Algorithm: TokenBucket, Window: 366 * 24 * time.Hour, Burst: 1000}
	enough, tooLow := r.For("k").WithLimit(10), r.For("k").WithLimit(9)
	if n, err := enough.quota(); n != 10 || err != nil {
		t.Errorf("a hundred years to refill: %d, %v", n, err)
	}
	if _, err := tooLow.quota(); err == nil {
		t.Error("more than a hundred years to refill is no error")
	}
}

func TestPhraseOfLimitError(t *testing.T) {
	token := &Rule{Name: "r", Algorithm: TokenBucket, Limit: 5, Window: time.Minute, Burst: 9}
	even := &Rule{Name: "r", Algorithm: TokenBucket, Limit: 50, Window: time.Minute}
	queue := &Rule{Name: "r", Algorithm: LeakyBucket, Limit: 50, Window: time.Minute}
	open := &Rule{Name: "r", Algorithm: TokenBucket, Window: time.Minute, Burst: 9}
	day := &Rule{Name: "r", Limit: 5, Calendar: Day, Zone: "Europe/Berlin"}
	for _, c := range []struct {
		rule *Rule
		want string
	}{
		{token, "5 calls in 1m0s on average, up to 9 at once"},
		{open, "9 at once"},
		{even, "5 calls in 1m0s on average, up to 5 at once"}, // the request's limit
		{queue, "5 calls in 1m0s at a constant rate, up to 5 waiting"},
		{day, "5 calls in a day of the calendar of Europe/Berlin"},
	} {
		if got := c.rule.phrase(c.rule.Capacity(5)); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestWindowAt(t *testing.T) {
	r := &Rule{Name: "r", Limit: 5, Calendar: Day, Zone: "Europe/Berlin"}
	begin, end := r.WindowAt(time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC).UnixMicro())
	if d := time.Duration(end-begin) * time.Microsecond; d != 23*time.Hour {
		t.Errorf("the day on which summer time begins has %v", d)
	}
}
