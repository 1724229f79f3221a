package main

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// moment is a time of which the page shows the window.
type moment struct {
	calendar rules.Calendar
	zone, at string
	why      string
}

// moments are past, so that no later decision about a zone changes them.
var moments = []moment{
	{rules.Day, "Europe/Berlin", "2025-03-30T12:00:00Z", "summer time begins"},
	{rules.Day, "Europe/Berlin", "2025-10-26T12:00:00Z", "summer time ends"},
	{rules.Hour, "Europe/Berlin", "2025-10-26T00:30:00Z", "the hour that comes twice"},
	{rules.Hour, "Europe/Berlin", "2025-10-26T01:30:00Z", "its second time"},
	{rules.Week, "Europe/Berlin", "2025-03-30T12:00:00Z", "from Monday"},
	{rules.Month, "Europe/Berlin", "2025-03-30T12:00:00Z", "from the first"},
	{rules.Day, "America/Sao_Paulo", "2018-11-04T12:00:00Z", "there was no midnight"},
	{rules.Day, "Pacific/Apia", "2011-12-30T09:00:00Z", "there was no 30 December"},
	{rules.Hour, "Australia/Lord_Howe", "2025-04-05T15:10:00Z", "back by half an hour"},
	{rules.Minute, "UTC", "2025-03-30T12:00:30Z", ""},
}

// calendar shows the windows of moments at which a zone does something.
func calendar() string {
	t := page.Table{Head: []string{"window", "tz", "begins", "ends", "lasts", ""}}
	for _, m := range moments {
		begin, end := m.window()
		const layout = "2006-01-02 15:04 -07:00"
		t.Add(fmt.Sprintf("`%v`", m.calendar), m.zone, begin.Format(layout), end.Format(layout), lasts(end.Sub(begin)), m.why)
	}
	return t.Words()
}

// window returns when the window begins and ends, in the zone.
func (m moment) window() (begin, end time.Time) {
	at, err := time.Parse(time.RFC3339, m.at)
	if err != nil {
		panic(err)
	}
	zone, err := time.LoadLocation(m.zone)
	if err != nil {
		panic(err)
	}
	spec := rules.Spec{Calendar: m.calendar, Zone: m.zone}
	span := spec.Windows().At(at.UnixMicro())
	return time.UnixMicro(span.Begin).In(zone), time.UnixMicro(span.End).In(zone)
}

func lasts(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
