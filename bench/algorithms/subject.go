package main

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// kinds are the algorithms and, behind the first, which it belongs to, the
// calendar window.
func kinds() []ratelimit.Rule {
	var all []ratelimit.Rule
	for _, a := range rules.Algorithms() {
		all = append(all, ratelimit.Rule{Algorithm: ratelimit.Algorithm(a)})
		if a == rules.FixedWindow {
			all = append(all, ratelimit.Rule{Calendar: ratelimit.Minute, Zone: "UTC"})
		}
	}
	return all
}

// everyKind returns a rule of each kind, all with the same limit; the window
// is a minute or, of the calendar, that minute. Names are one letter.
func everyKind(limit int64) []*ratelimit.Rule {
	var all []*ratelimit.Rule
	for i, r := range kinds() {
		r.Name, r.Limit = string(rune('a'+i)), limit
		if r.Calendar == 0 {
			r.Window = time.Minute
		}
		all = append(all, &r)
	}
	return all
}

// title is what a directive says to have the rule's algorithm.
func title(r *ratelimit.Rule) string {
	switch {
	case r.Calendar != 0:
		return fmt.Sprintf("`window=%v`", r.Calendar)
	case r.Burst == ratelimit.NoQueue:
		return fmt.Sprintf("`%v burst=0`", r.Algorithm)
	case r.Burst != 0:
		return fmt.Sprintf("`%v burst=%d`", r.Algorithm, r.Burst)
	}
	return fmt.Sprintf("`%v`", r.Algorithm)
}
