package lua

import (
	"strconv"
	"strings"
	"sync/atomic"
)

// MaxStraight is the most buckets that a script without loops decides about.
const MaxStraight = 4

// straights are the scripts by their kinds, each as one digit above 0.
type straights [digits * digits * digits * digits]atomic.Pointer[Script]

const digits = int(kinds) + 1

// Straight returns the script for buckets of the given kinds, in this order and
// MaxStraight at most. It decides as the composite does where none is in shadow
// and all of the cost is wanted, but straight through, which takes the server
// two thirds of the time.
func (s *Set) Straight(of []Kind) *Script {
	at := 0
	for _, k := range of {
		at = at*digits + int(k) + 1
	}
	return s.once(&s.straights[at], func() string { return straight(of) })
}

func straight(of []Kind) string {
	var checks, charges, passing, results []string
	var all []sectionTexts
	argument := 1
	for i, k := range of {
		p := sections(k)
		all = append(all, p)
		p.arguments(argument)
		argument += Arguments(k)
		n := strconv.Itoa(i + 1)
		checks = append(checks, p.numbered(file("frame/checked"), n))
		charges = append(charges, p.numbered(file("frame/charged"), n))
		passing = append(passing, p.numbered("retry == 0", n))
		results = append(results, p.numbered("left, retry, reset, delay", n))
	}
	return fill(file("frame/straight"), sectionTexts{
		"library": library(all...),
		"checks":  strings.Join(checks, ""),
		"passing": strings.Join(passing, " and "),
		"charges": strings.Join(charges, ""),
		"format":  strings.Repeat("dddd", len(of)),
		"results": strings.Join(results, ", "),
	})
}

// numbered fills a frame for bucket n of several: the variables that outlive a
// check get the number behind their names.
func (p sectionTexts) numbered(frame, n string) string {
	names := "cost|left|retry|reset|delay|" + strings.ReplaceAll(p["args"]+", "+p["kept"], ", ", "|")
	return variable(names).ReplaceAllString(p.placed(fill(frame, p), n), "${1}"+n)
}
