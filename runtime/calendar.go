package ratelimit

import "github.com/ratelimitgen/ratelimitgen/internal/rules"

// NoQueue as the Burst of a LeakyBucket lets nobody wait.
const NoQueue = rules.NoQueue

// Calendar is a word for windows that follow the wall clock of a time zone.
type Calendar uint8

const (
	// Minute and Hour are the times in which the wall clock shows the same
	// minute or hour. An hour that is repeated when summer time ends is two
	// windows.
	Minute = Calendar(rules.Minute)
	Hour   = Calendar(rules.Hour)

	// Day begins at midnight, or at the first moment after it that the wall
	// clock shows. Where summer time begins or ends it has 23 or 25 hours.
	Day = Calendar(rules.Day)

	// Week begins with its Monday.
	Week = Calendar(rules.Week)

	// Month begins with its first day.
	Month = Calendar(rules.Month)
)

// String returns the word that directives have for c, as in "day".
func (c Calendar) String() string { return rules.Calendar(c).String() }

// WindowAt returns the window of the rule's Calendar that t is in, from begin
// to the beginning of the next one, in microseconds since 1970. The rule must
// have a Calendar and no fault.
func (r *Rule) WindowAt(t int64) (begin, end int64) {
	s := r.spec().Windows().At(t)
	return s.Begin, s.End
}
