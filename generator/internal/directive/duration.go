package directive

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

type unit struct {
	name string
	size time.Duration
}

// units are the units of durations, from the longest on.
var units = []unit{
	{"w", week},
	{"d", day},
	{"h", time.Hour},
	{"m", time.Minute},
	{"s", time.Second},
	{"ms", time.Millisecond},
	{"us", time.Microsecond},
}

const unitNames = "us, ms, s, m, h, d, w"

// meant are other names of units.
var meant = map[string]string{
	"µs": "us", "μs": "us", "micros": "us", "microsecond": "us", "microseconds": "us",
	"msec": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
	"day": "d", "days": "d", "wk": "w", "week": "w", "weeks": "w",
}

func readDuration(item *Item) string {
	if text, quoted := bare(item.Value); quoted {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	d, err := parseDuration(item.Value)
	if err != nil {
		return item.Name + ": " + err.Error()
	}
	item.Const, item.Duration = true, d
	return ""
}

// readWait reads the duration of an item of which nothing is said by leaving
// it out.
func readWait(item *Item) string {
	if text := readDuration(item); text != "" {
		return text
	}
	if item.Duration == 0 {
		return fmt.Sprintf("%s: must be longer than 0", item.Name)
	}
	return ""
}

func readWindow(item *Item) string {
	if slices.Contains(item.Spec.Words, item.Value) {
		return readWord(item)
	}
	if first := item.Value[0]; first >= 'A' {
		return fmt.Sprintf("window is a duration such as 60s or %s, not %s%s", choice(item.Spec.Words), item.Value, suggest.DidYouMean(item.Value, item.Spec.Words))
	}
	if text := readDuration(item); text != "" {
		return text
	}
	if fault := rules.CheckWindow(item.Duration); fault != nil {
		return fault.Item + ": " + strings.Replace(fault.Text, item.Duration.String(), item.Value, 1)
	}
	return ""
}

// parseDuration reads whole numbers with units, from the longest unit to the
// shortest and each at most once, such as 500ms, 1h30m or 2w. A day has 24
// hours.
func parseDuration(s string) (time.Duration, error) {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, durationStart(s)
	}
	var total time.Duration
	last := -1
	for rest := s; rest != ""; {
		n, size, tail, err := durationPart(rest, s)
		if err != nil {
			return 0, err
		}
		at := slices.IndexFunc(units, func(u unit) bool { return u.size == size })
		if at <= last {
			return 0, fmt.Errorf("the units of %s go from the longest to the shortest, each once", s)
		}
		if n > int64((math.MaxInt64-total)/size) {
			return 0, fmt.Errorf("%s is too long", s)
		}
		total += time.Duration(n) * size
		rest, last = tail, at
	}
	return total, nil
}

func durationStart(s string) error {
	if digits := strings.TrimLeft(s, "+-"); digits != s && digits != "" && digits[0] >= '0' && digits[0] <= '9' {
		return fmt.Errorf("a duration has no sign, not %s", s)
	}
	return fmt.Errorf("%s is no duration: write one such as 500ms, 60s, 1h30m or 7d", s)
}

// durationPart reads a number and its unit from the start of s, which is the
// end of whole.
func durationPart(s, whole string) (n int64, size time.Duration, rest string, err error) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	letters := strings.IndexAny(s[digits:], "0123456789")
	if letters < 0 {
		letters = len(s) - digits
	}
	name := s[digits : digits+letters]
	if size, err = unitSize(name, s[:digits], whole); err != nil {
		return 0, 0, "", err
	}
	n, err = strconv.ParseInt(s[:digits], 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = fmt.Errorf("%s is too long", whole)
	}
	return n, size, s[digits+letters:], err
}

func unitSize(name, digits, whole string) (time.Duration, error) {
	for _, u := range units {
		if u.name == name {
			return u.size, nil
		}
	}
	lower := strings.ToLower(name)
	switch {
	case name == "":
		return 0, fmt.Errorf("%s has no unit: write %ss, or one of %s", whole, whole, unitNames)
	case strings.ContainsAny(name, ".,"):
		return 0, fmt.Errorf("%s is no whole number of its units: write 1h30m for 1.5h", whole)
	case name == "ns":
		return 0, fmt.Errorf("%s is finer than a microsecond, the smallest unit is us", whole)
	case meant[lower] != "":
		return 0, fmt.Errorf("unknown unit %q in %s; did you mean %s%s?", name, whole, digits, meant[lower])
	case isUnit(lower):
		return 0, fmt.Errorf("unknown unit %q in %s; did you mean %s%s?", name, whole, digits, lower)
	}
	return 0, fmt.Errorf("unknown unit %q in %s: the units are %s", name, whole, unitNames)
}

func isUnit(name string) bool {
	return slices.ContainsFunc(units, func(u unit) bool { return u.name == name })
}
