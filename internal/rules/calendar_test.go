package rules

import (
	"testing"
	"time"
)

func at(t *testing.T, text string) int64 {
	t.Helper()
	when, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return when.UnixMicro()
}

func show(s Span) string {
	return time.UnixMicro(s.Begin).UTC().Format(time.RFC3339Nano) + " to " + time.UnixMicro(s.End).UTC().Format(time.RFC3339Nano)
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		name       string
		calendar   Calendar
		zone       string
		at         string
		begin, end string
	}{
		{"minute", Minute, "", "2026-02-03T04:05:06Z", "2026-02-03T04:05:00Z", "2026-02-03T04:06:00Z"},
		{"hour", Hour, "", "2026-02-03T04:05:06Z", "2026-02-03T04:00:00Z", "2026-02-03T05:00:00Z"},
		{"hour of a zone 45 minutes off", Hour, "Asia/Kathmandu", "2026-02-03T04:05:06Z", "2026-02-03T03:15:00Z", "2026-02-03T04:15:00Z"},
		{"day", Day, "UTC", "2026-02-03T23:59:59Z", "2026-02-03T00:00:00Z", "2026-02-04T00:00:00Z"},
		{"day in Berlin", Day, "Europe/Berlin", "2026-02-03T23:59:59Z", "2026-02-03T23:00:00Z", "2026-02-04T23:00:00Z"},
		{"day of 23 hours", Day, "Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
		{"day of 25 hours", Day, "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"},
		{"hour before the skipped one", Hour, "Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z"},
		{"hour after the skipped one", Hour, "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"},
		{"repeated hour, first", Hour, "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"},
		{"repeated hour, second", Hour, "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T02:00:00Z"},
		{"summer time of half an hour begins", Hour, "Australia/Lord_Howe", "2026-10-03T15:35:00Z", "2026-10-03T15:30:00Z", "2026-10-03T16:00:00Z"},
		{"summer time of half an hour ends", Hour, "Australia/Lord_Howe", "2026-04-04T15:10:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:30:00Z"},
		{"a zone that skips a day", Day, "Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"},
		{"the day after the skipped one", Day, "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},
		{"midnight is skipped", Day, "America/Sao_Paulo", "2018-11-04T05:00:00Z", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"},
		{"midnight comes twice", Day, "America/Sao_Paulo", "2018-02-18T02:30:00Z", "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z"},
		{"a new date that is taken back has begun", Day, "America/St_Johns", "2006-10-29T03:00:00Z", "2006-10-29T02:30:00Z", "2006-10-30T03:30:00Z"},
		{"week on its Monday", Week, "UTC", "2026-02-02T00:00:00Z", "2026-02-02T00:00:00Z", "2026-02-09T00:00:00Z"},
		{"week on its Sunday", Week, "UTC", "2026-02-08T23:59:59Z", "2026-02-02T00:00:00Z", "2026-02-09T00:00:00Z"},
		{"week in which summer time begins", Week, "America/New_York", "2026-03-05T00:00:00Z", "2026-03-02T05:00:00Z", "2026-03-09T04:00:00Z"},
		{"February of a leap year", Month, "UTC", "2024-02-29T12:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{"December", Month, "Asia/Tokyo", "2026-12-31T14:59:59Z", "2026-11-30T15:00:00Z", "2026-12-31T15:00:00Z"},
		{"month in which summer time begins", Month, "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-02-28T23:00:00Z", "2026-03-31T22:00:00Z"},
		{"the last day of a leap year far ahead", Day, "Europe/Berlin", "2128-12-31T12:00:00Z", "2128-12-30T23:00:00Z", "2128-12-31T23:00:00Z"},
		{"summer time far ahead", Day, "Europe/Berlin", "2128-03-28T12:00:00Z", "2128-03-27T23:00:00Z", "2128-03-28T22:00:00Z"},
		{"1970", Month, "UTC", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1970-02-01T00:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Spec{Algorithm: FixedWindow, Limit: 1, Calendar: c.calendar, Zone: c.zone}
			if f := s.Check(); f != nil {
				t.Fatal(f)
			}
			got, want := s.Windows().At(at(t, c.at)), Span{at(t, c.begin), at(t, c.end)}
			if got != want {
				t.Errorf("got  %s\nwant %s", show(got), show(want))
			}
		})
	}
}

// stretches are times in which zones do what is unusual.
var stretches = []struct {
	zone     string
	from, to string
}{
	{"Europe/Berlin", "2026-03-20T00:00:00Z", "2026-04-05T00:00:00Z"},
	{"Europe/Berlin", "2026-10-20T00:00:00Z", "2026-11-05T00:00:00Z"},
	{"Australia/Lord_Howe", "2026-03-31T00:00:00Z", "2026-04-07T00:00:00Z"},
	{"Australia/Lord_Howe", "2026-09-29T00:00:00Z", "2026-10-07T00:00:00Z"},
	{"America/St_Johns", "2006-10-25T00:00:00Z", "2006-11-02T00:00:00Z"},
	{"America/St_Johns", "2006-03-30T00:00:00Z", "2006-04-05T00:00:00Z"},
	{"Pacific/Apia", "2011-12-26T00:00:00Z", "2012-01-04T00:00:00Z"},
	{"America/Sao_Paulo", "2018-02-15T00:00:00Z", "2018-02-20T00:00:00Z"},
	{"America/Sao_Paulo", "2018-11-01T00:00:00Z", "2018-11-07T00:00:00Z"},
	{"Australia/Lord_Howe", "2128-12-20T00:00:00Z", "2129-01-10T00:00:00Z"},
	{"Africa/Monrovia", "1972-01-04T00:00:00Z", "1972-01-10T00:00:00Z"},
	{"Africa/Casablanca", "2026-02-12T00:00:00Z", "2026-02-18T00:00:00Z"},
	{"Europe/London", "1971-10-25T00:00:00Z", "1971-11-05T00:00:00Z"},
	{"Europe/Lisbon", "1992-09-25T00:00:00Z", "1992-10-01T00:00:00Z"},
}

// TestWindowsMinuteByMinute walks through a stretch and draws an edge wherever
// the wall clock says so, which is the definition of windows word for word.
func TestWindowsMinuteByMinute(t *testing.T) {
	for _, c := range Calendars() {
		for _, s := range stretches {
			t.Run(c.String()+" "+s.zone+" "+s.from[:10], func(t *testing.T) {
				zone, err := time.LoadLocation(s.zone)
				if err != nil {
					t.Fatal(err)
				}
				walk(t, &Windows{calendar: c, zone: zone}, at(t, s.from), at(t, s.to))
			})
		}
	}
}

func walk(t *testing.T, w *Windows, from, to int64) {
	minute := time.Minute.Microseconds()
	latest := label(w, from)
	for now := from + minute; now < to; now += minute {
		this := label(w, now)
		edge := this != latest
		if w.calendar >= Day && this < latest {
			edge, this = false, latest // a date that comes again has passed
		}
		got := w.At(now)
		if begins := got.Begin > now-minute; begins != edge || !got.Holds(now) {
			t.Fatalf("at %v: an edge is %v, but the window is %s", time.UnixMicro(now).In(w.zone), edge, show(got))
		}
		if again := w.find(got.End); again.Begin != got.End {
			t.Fatalf("after %s comes %s", show(got), show(again))
		}
		latest = this
	}
}

// label returns a text that differs from window to window, and grows with the
// date.
func label(w *Windows, t int64) string {
	now := time.UnixMicro(t).In(w.zone)
	switch w.calendar {
	case Minute:
		return now.Format("2006-01-02 15:04 -070000")
	case Hour:
		return now.Format("2006-01-02 15 -070000")
	case Week:
		year, month, day := now.Date()
		now = time.Date(year, month, day-(int(now.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
	case Month:
		return now.Format("2006-01")
	}
	return now.Format("2006-01-02")
}

func TestWindowsAreShared(t *testing.T) {
	a := Spec{Calendar: Hour}
	b := Spec{Calendar: Hour, Zone: "UTC"}
	if a.Windows() != b.Windows() {
		t.Error(`zone "" and zone UTC have different windows`)
	}
	if n := testing.AllocsPerRun(100, func() { a.Windows().At(1_700_000_000_000_000) }); n != 0 {
		t.Errorf("%v allocations to look a window up", n)
	}
}

func TestCalendarByItem(t *testing.T) {
	for _, c := range Calendars() {
		if got, ok := CalendarByItem(c.String()); !ok || got != c {
			t.Errorf("%s: %v, %v", c, got, ok)
		}
	}
	if _, ok := CalendarByItem("no calendar"); ok {
		t.Error("the zero calendar has a word")
	}
}
