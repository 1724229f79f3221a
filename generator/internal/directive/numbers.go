package directive

import (
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// RuleSpec returns the numbers of a rule. Those that are missing, Bad or an
// expression are 0.
func (d Directive) RuleSpec() rules.Spec {
	limit, _ := d.good("limit")
	window, _ := d.good("window")
	zone, _ := d.good("tz")
	calendar, _ := rules.CalendarByItem(window.Text)
	return rules.Spec{
		Algorithm: d.Algorithm(),
		Limit:     limit.Int,
		Window:    window.Duration,
		Burst:     d.burst(),
		Calendar:  calendar,
		Zone:      zone.Text,
	}
}

func (d Directive) burst() int64 {
	burst, ok := d.good("burst")
	if ok && burst.Int == 0 && d.Algorithm().Info().Delay {
		return rules.NoQueue
	}
	return burst.Int
}

// queue returns how long the last in a full queue waits. With ok false that
// depends on the limit, which is not known.
func queue(spec rules.Spec) (lasts time.Duration, ok bool) {
	switch {
	case spec.Burst == rules.NoQueue:
		return 0, true
	case spec.Burst == 0:
		return spec.Window, true
	case spec.Limit == 0:
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(spec.Burst), uint64(spec.Window/time.Microsecond))
	micros, _ := bits.Div64(hi, lo, uint64(spec.Limit))
	return time.Duration(micros) * time.Microsecond, true
}

// WithInt returns d with the whole number n for the value of an item that has
// an expression for it, or why that is no value of the item.
func (d Directive) WithInt(name string, n int64) (whole Directive, why string) {
	d.Items = slices.Clone(d.Items)
	for i := range d.Items {
		if item := &d.Items[i]; item.Name == name {
			if n < item.Spec.Min {
				return d, fmt.Sprintf("%s is at least %d, not %d", name, item.Spec.Min, n)
			}
			item.Const, item.Int = true, n
		}
	}
	return d, ""
}
