package model

import (
	"strings"
	"time"
)

// Duration is how Go code writes a duration: a count and a unit of package
// time.
func Duration(d time.Duration) (n int64, unit string) {
	for _, u := range units {
		if d%u.d == 0 {
			return int64(d / u.d), u.name
		}
	}
	return int64(d), "Nanosecond"
}

// Unit is the unit of that name, or 0.
func Unit(name string) time.Duration {
	for _, u := range units {
		if u.name == name {
			return u.d
		}
	}
	return 0
}

var units = []struct {
	d    time.Duration
	name string
}{
	{time.Hour, "Hour"},
	{time.Minute, "Minute"},
	{time.Second, "Second"},
	{time.Millisecond, "Millisecond"},
	{time.Microsecond, "Microsecond"},
}

// DurationText is a duration as one would write it in a directive: that of Go
// without the zeros at its end.
func DurationText(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"0s", "0m"} {
		if cut := strings.TrimSuffix(text, zero); strings.HasSuffix(cut, "m") || strings.HasSuffix(cut, "h") {
			text = cut
		}
	}
	return text
}
