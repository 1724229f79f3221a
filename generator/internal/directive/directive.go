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
	Items []Item // in the order of the text, no name twice

	// Broken says that some of the text could not be read as items, which
	// Parse reported: nothing can be said about what is missing.
	Broken bool

	// Bad says that Parse reported something, so that advice would not help.
	Bad bool
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
	Bad      bool   // it has a problem, which Parse reported: do not use it

	Const    bool          // the value is in Int, Duration or Text: it is no expression that must be compiled
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
