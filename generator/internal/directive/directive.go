package directive

import (
	"strings"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Prefix is what the text of every directive starts with.
const Prefix = "//ratelimit:"

// Is reports whether a comment, as go/ast holds it, is a directive: good or
// bad, it is for [Parse]. For any other comment ask [Near].
func Is(comment string) bool { return strings.HasPrefix(comment, Prefix) }

// Directive is one directive line, or, after [Join], one rule with all of its
// lines.
type Directive struct {
	Kind  Kind
	Items []Item // in the order of the text
}

// Item is one item of a directive. Its offsets count bytes in the text that
// was given to [Parse].
type Item struct {
	Spec     *Spec  // its entry in Items
	Name     string // as in the table
	Value    string // as written, quotes included; empty for a flag
	Line     int    // which of the lines given to Join; 0 otherwise
	Off      int    // where the name starts
	ValueOff int    // where Value starts; End for a flag
	End      int    // where the item ends
	Bad      bool   // the value has a problem, which Parse reported

	Const    bool          // Int or Text holds the value: it is no expression that must be compiled
	Int      int64         // the value of a whole number
	Duration time.Duration // the value of a duration
	Text     string        // the unquoted string, the word, the name; words joined by commas as written
}

// Problem is something wrong with a directive. Off is a byte offset in the
// text, in [0, len(text)]; Line as in [Item].
type Problem struct {
	Line int
	Off  int
	Text string
	Note bool // advice, no error
}

// Parse reads one directive. text is the comment from [Prefix] on, one line,
// with or without a carriage return at its end. It reports whatever is wrong
// with the line itself: unknown items, repeated ones, values that are no
// value of their item, things that are not supported yet. What only the whole
// rule can tell is for [Check]. All good items are returned whatever the
// problems; a bad value gives an item that is Bad.
func Parse(text string) (Directive, []Problem) {
	return Directive{}, nil
}

// Join makes one rule of a rule's lines, the first of which is a rule and
// the others continue it. The Line of items and problems counts from 0.
func Join(lines ...Directive) (Directive, []Problem) {
	return Directive{}, nil
}

// Check reports what is wrong with a whole rule, all of its lines and
// defaults joined: a missing limit or window, flags that contradict each
// other, numbers that the algorithm does not hold. It says nothing about the
// values of items that are Bad.
func Check(rule Directive) []Problem {
	return nil
}

// Item returns the item of the given name. With ok false it is not there.
func (d Directive) Item(name string) (item Item, ok bool) {
	for _, it := range d.Items {
		if it.Name == name {
			return it, true
		}
	}
	return Item{}, false
}

// Algorithm returns the algorithm that the rule's flags name, or the default.
func (d Directive) Algorithm() rules.Algorithm {
	for _, it := range d.Items {
		if a, ok := rules.ByItem(it.Name); ok {
			return a
		}
	}
	return rules.Algorithms()[0]
}

// Near recognises a comment, as go/ast holds it, that was meant to be a
// directive but is none, as typed or as gofmt leaves it, such as
// "// ratelimit:key=id" or "//rate_limit:skip". The hint says what to write
// instead. It is false for directives and for prose.
func Near(comment string) (hint string, ok bool) {
	return "", false
}
