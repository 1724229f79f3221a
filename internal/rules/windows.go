package rules

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Windows are the windows of a calendar word in a zone. They follow each other
// without gaps. Times are microseconds since 1970.
//
// A day begins at the first moment at which the wall clock shows its date or a
// later one; a week begins with its Monday, a month with its first day. So a
// day has 23 or 25 hours where summer time begins or ends, and one that the
// zone skips has no window.
//
// A minute or an hour is a time in which the wall clock shows the same minute
// or hour and the zone's offset is the same. So the hour that is repeated when
// summer time ends is two windows.
type Windows struct {
	calendar Calendar
	zone     *time.Location
	latest   atomic.Pointer[Span]
}

// Span is one window.
type Span struct {
	Begin int64
	End   int64 // the beginning of the next one
}

// Holds reports whether t is in the window.
func (s Span) Holds(t int64) bool { return s.Begin <= t && t < s.End }

type windowsKey struct {
	calendar Calendar
	zone     string
}

var (
	windowsMu sync.Mutex
	windows   atomic.Pointer[map[windowsKey]*Windows]
)

// Windows returns the windows of s, which must have no fault and a Calendar.
func (s Spec) Windows() *Windows {
	key := windowsKey{s.Calendar, s.ZoneName()}
	if all := windows.Load(); all != nil {
		if w := (*all)[key]; w != nil {
			return w
		}
	}
	return newWindows(key)
}

func newWindows(key windowsKey) *Windows {
	windowsMu.Lock()
	defer windowsMu.Unlock()
	more := map[windowsKey]*Windows{}
	if all := windows.Load(); all != nil {
		maps.Copy(more, *all)
	}
	if more[key] == nil {
		zone, err := time.LoadLocation(key.zone)
		if err != nil {
			panic(fmt.Sprintf("rules: zone %q was not checked: %v", key.zone, err))
		}
		more[key] = &Windows{calendar: key.calendar, zone: zone}
		windows.Store(&more)
	}
	return more[key]
}

// At returns the window that t is in.
func (w *Windows) At(t int64) Span {
	if s := w.latest.Load(); s != nil && s.Holds(t) {
		return *s
	}
	s := w.find(t)
	w.latest.Store(&s)
	return s
}

func (w *Windows) find(t int64) Span {
	switch w.calendar {
	case Minute:
		return w.clock(t, time.Minute)
	case Hour:
		return w.clock(t, time.Hour)
	}
	return w.dates(t)
}

// clock returns the minute or hour that t is in.
func (w *Windows) clock(t int64, unit time.Duration) Span {
	offset, size := w.offset(t), unit.Microseconds()
	s := Span{Begin: t - mod(t+offset, size)}
	s.End = s.Begin + size
	if w.offset(s.Begin) != offset {
		s.Begin = w.change(s.Begin, t)
	}
	if w.offset(s.End-1) != offset {
		s.End = w.change(t, s.End-1)
	}
	return s
}

// dates returns the day, week or month that t is in.
func (w *Windows) dates(t int64) Span {
	date := w.first(time.UnixMicro(t).In(w.zone))
	s := Span{End: w.begin(date)}
	for s.End <= t {
		date = w.next(date)
		s = Span{s.End, w.begin(date)}
	}
	return s
}

// first returns the date with which the window begins that has the date of t,
// as a time in UTC.
func (w *Windows) first(t time.Time) time.Time {
	year, month, day := t.Date()
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch w.calendar {
	case Week:
		return date.AddDate(0, 0, -(int(date.Weekday())+6)%7)
	case Month:
		return date.AddDate(0, 0, 1-day)
	}
	return date
}

func (w *Windows) next(date time.Time) time.Time {
	switch w.calendar {
	case Week:
		return date.AddDate(0, 0, 7)
	case Month:
		return date.AddDate(0, 1, 0)
	}
	return date.AddDate(0, 0, 1)
}

// begin returns the first moment at which the wall clock shows date or a later
// one. No zone is further from UTC than the 26 hours at which it starts to look;
// none changes its offset twice in an hour.
func (w *Windows) begin(date time.Time) int64 {
	midnight := date.UnixMicro()
	for at := midnight - 26*3600*second; ; {
		next, offset := at+3600*second, w.offset(at)
		if w.offset(next) != offset {
			next = w.change(at, next)
		}
		if begin := max(at, midnight-offset); begin < next {
			return begin
		}
		at = next
	}
}

// change returns the first moment that has the offset of to, after from, which
// has another. (time.Time.ZoneBounds is of no use: in the last day of a leap
// year that only the zone's rule covers, it says that the zone has ended.)
func (w *Windows) change(from, to int64) int64 {
	for offset := w.offset(to); from+1 < to; {
		if mid := from + (to-from)/2; w.offset(mid) == offset {
			to = mid
		} else {
			from = mid
		}
	}
	return to
}

// offset returns what the wall clock is ahead of UTC.
func (w *Windows) offset(t int64) int64 {
	_, seconds := time.UnixMicro(t).In(w.zone).Zone()
	return int64(seconds) * second
}

const second = int64(time.Second / time.Microsecond)

// mod returns a modulo b, which is not negative.
func mod(a, b int64) int64 { return (a%b + b) % b }
