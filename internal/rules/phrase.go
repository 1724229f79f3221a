package rules

import "fmt"

// Phrase says in English what a rule admits, as in "3 calls in any 1m0s". It
// stands in generated comments and in errors.
func (s Spec) Phrase(limit int64) string {
	switch {
	case s.Calendar != NoCalendar:
		return fmt.Sprintf("%s in %s of the calendar%s", calls(limit), s.Calendar.article(), s.in())
	case s.Algorithm == SlidingWindow:
		return fmt.Sprintf("%s in any %v", calls(limit), s.Window)
	case s.Algorithm == SlidingCounter:
		return fmt.Sprintf("about %s in any %v", calls(limit), s.Window)
	case s.Algorithm == TokenBucket:
		return fmt.Sprintf("%s in %v on average, up to %d at once", calls(limit), s.Window, s.Capacity(limit))
	case s.Algorithm == LeakyBucket:
		return fmt.Sprintf("%s in %v at a constant rate, up to %d waiting", calls(limit), s.Window, burst(s.Burst, limit))
	}
	return fmt.Sprintf("%s in %v from the first one", calls(limit), s.Window)
}

func (s Spec) in() string {
	if s.Zone == "" {
		return ""
	}
	return " of " + s.Zone
}

func (c Calendar) article() string {
	if c == Hour {
		return "an " + c.String()
	}
	return "a " + c.String()
}

func calls(n int64) string {
	if n == 1 {
		return "1 call"
	}
	return fmt.Sprintf("%d calls", n)
}

// Worst says in English what a rule admits at worst beyond its phrase, or "".
func (s Spec) Worst(limit int64) string {
	switch {
	case s.Algorithm == FixedWindow:
		return fmt.Sprintf("up to %d can pass across the edge of two windows", 2*limit)
	case s.Algorithm == SlidingCounter && limit > 1:
		return fmt.Sprintf("up to %d can pass in one window if they come at its edges", 2*limit-1)
	case s.Algorithm == TokenBucket:
		return fmt.Sprintf("up to %d can pass in one window", limit+s.Capacity(limit))
	}
	return ""
}
