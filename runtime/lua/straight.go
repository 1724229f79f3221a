package lua

import (
	"strconv"
	"strings"
	"sync/atomic"
)

// MaxStraight is the most buckets that a script without loops decides about.
const MaxStraight = 4

// straights are scripts by their kinds, each as one digit above 0.
type straights [digits * digits * digits * digits]atomic.Pointer[Script]

const digits = int(kinds) + 1

func (s *straights) of(kinds []Kind) *atomic.Pointer[Script] {
	at := 0
	for _, k := range kinds {
		at = at*digits + int(k) + 1
	}
	return &s[at]
}

// Straight returns the script for buckets of the given kinds, in this order and
// MaxStraight at most. It decides as the composite does where none is in shadow
// and all of the cost is wanted, but straight through, which takes the server
// two thirds of the time.
func (s *Set) Straight(of []Kind) *Script {
	return s.once(s.straights.of(of), func() string { return several(of, "straight", straightParts) })
}

// Repeated returns the script for calls that are alike and come together, each for
// buckets of the given kinds. It decides as Straight or Single would, called for
// each in turn at the same moment, where no algorithm knows patience.
func (s *Set) Repeated(of []Kind) *Script {
	return s.once(s.repeats.of(of), func() string { return several(of, "repeated", repeatedParts) })
}

// Each reports whether the reply of Repeated has an answer of a bucket for each of
// the calls that have passed, in place of one for all.
func Each(k Kind) bool { return each[k] }

var each = func() (is [kinds]bool) {
	for k := range kinds {
		is[k] = sections(k)["answers"] == file("frame/each")
	}
	return is
}()

// part is what a frame says of each of its buckets.
type part struct{ name, text, between string }

var straightParts = []part{
	{"checks", file("frame/checked"), ""},
	{"passing", "retry == 0", " and "},
	{"charges", file("frame/charged"), ""},
	{"format", "dddd", ""},
	{"results", "left, retry, reset, delay", ", "},
}

var repeatedParts = []part{
	{"checks", file("frame/checked"), ""},
	{"answers", "local answers = {}\n", ""},
	{"passing", "retry == 0", " and "},
	{"shares", "math.floor(left / cost)", ", "},
	{"charges", file("frame/shared"), ""},
	{"again", file("frame/again"), ""},
	{"format", "ddd", ""},
	{"results", "left, retry, reset", ", "},
	{"lists", "table.concat(answers)", " .. "},
}

// several fills a frame for buckets of the given kinds.
func several(of []Kind, frame string, parts []part) string {
	texts, argument := sectionTexts{}, 1
	var all []sectionTexts
	for i, k := range of {
		p := sections(k)
		all = append(all, p)
		p.arguments(argument)
		argument += Arguments(k)
		p["answers"] = fill(p["answers"], p)
		for _, part := range parts {
			if i > 0 {
				texts[part.name] += part.between
			}
			texts[part.name] += p.numbered(part.text, strconv.Itoa(i+1))
		}
	}
	texts["times"] = argumentAt(argument)
	texts["library"] = library(all...)
	return fill(file("frame/"+frame), texts)
}

// numbered fills a frame for bucket n of several: the variables that outlive a
// check get the number behind their names.
func (p sectionTexts) numbered(frame, n string) string {
	others := map[string]string{}
	for _, name := range strings.Split("cost, left, retry, reset, delay, one, answers, "+p["args"]+", "+p["kept"], ", ") {
		others[name] = name + n
	}
	return rename(p.placed(fill(frame, p), n), others)
}
