package rules

import (
	"time"
	_ "time/tzdata" // zones are the same wherever the program runs
)

// Calendar is a word for windows that follow the wall clock.
type Calendar uint8

const (
	// NoCalendar is that of a window with a fixed length.
	NoCalendar Calendar = iota
	Minute
	Hour
	Day
	Week
	Month

	calendars
)

// CalendarInfo is what is said of a calendar word.
type CalendarInfo struct {
	Item  string // the word, as the value of a directive's window
	Const string // the constant's name in package runtime
	Zone  bool   // a zone is required
}

var calendarInfos = [calendars]CalendarInfo{
	NoCalendar: {Item: "no calendar"},
	Minute:     {Item: "minute", Const: "Minute"},
	Hour:       {Item: "hour", Const: "Hour"},
	Day:        {Item: "day", Const: "Day", Zone: true},
	Week:       {Item: "week", Const: "Week", Zone: true},
	Month:      {Item: "month", Const: "Month", Zone: true},
}

// Valid reports whether c is one of the words.
func (c Calendar) Valid() bool { return NoCalendar < c && c < calendars }

// Info returns what is said of c, which must be Valid or NoCalendar.
func (c Calendar) Info() CalendarInfo { return calendarInfos[c] }

// String returns the word.
func (c Calendar) String() string {
	if c >= calendars {
		return "unknown calendar"
	}
	return c.Info().Item
}

// Calendars returns all of the words.
func Calendars() []Calendar { return []Calendar{Minute, Hour, Day, Week, Month} }

// CalendarByItem returns the calendar that a word names.
func CalendarByItem(item string) (Calendar, bool) {
	for _, c := range Calendars() {
		if c.Info().Item == item {
			return c, true
		}
	}
	return NoCalendar, false
}

// CheckZone returns the fault of the zone of a calendar window, or nil.
func CheckZone(c Calendar, zone string) *Fault {
	switch {
	case zone == "" && c.Info().Zone:
		return fault("tz", "is missing: where a %s begins depends on the time zone", c)
	case zone == "Local":
		return fault("tz", "Local differs from machine to machine")
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return fault("tz", "there is no time zone %q", zone)
	}
	return nil
}

// ZoneName returns the name of the zone, in which "" and "UTC" are the same.
func (s Spec) ZoneName() string {
	if s.Calendar != NoCalendar && s.Zone == "" {
		return "UTC"
	}
	return s.Zone
}
