package rules

import (
	"fmt"
	"time"
)

const (
	// MaxLimit is the highest limit of any rule: integers up to it are exact
	// in the doubles that Redis scripts count with.
	MaxLimit = 1 << 53
	// MaxEntries is the highest limit of an algorithm that keeps one entry a
	// call.
	MaxEntries = 100_000
	// MaxCharge is the highest cost of one call under such an algorithm, which
	// bounds the time that one call can keep others waiting.
	MaxCharge = 10_000

	// MinWindow and MaxWindow bound a window's length.
	MinWindow = time.Millisecond
	MaxWindow = 10 * 366 * 24 * time.Hour

	// MaxDrain is the longest time that a full bucket of an algorithm with a
	// burst may take to drain.
	MaxDrain = 10 * MaxWindow

	// MaxName is the longest name of a rule, in bytes.
	MaxName = 128
)

// Fault says what is wrong with a Spec, and with which directive item.
type Fault struct {
	Item string
	Text string
}

func (f *Fault) Error() string { return f.Item + ": " + f.Text }

func fault(item, format string, args ...any) *Fault {
	return &Fault{item, fmt.Sprintf(format, args...)}
}

// Check returns the first fault of s, or nil.
func (s Spec) Check() *Fault {
	if !s.Algorithm.Valid() {
		return fault("algorithm", "there is no algorithm %d", s.Algorithm)
	}
	if f := s.checkWindow(); f != nil {
		return f
	}
	if f := s.checkBurst(); f != nil {
		return f
	}
	if s.Limit == 0 {
		return nil
	}
	return s.CheckLimit(s.Limit)
}

func (s Spec) checkWindow() *Fault {
	if s.Calendar != NoCalendar {
		return s.checkCalendar()
	}
	if s.Zone != "" {
		return fault("tz", "only a calendar window has a time zone")
	}
	return CheckWindow(s.Window)
}

func (s Spec) checkCalendar() *Fault {
	switch {
	case !s.Calendar.Valid():
		return fault("window", "there is no calendar word %d", s.Calendar)
	case s.Algorithm != FixedWindow:
		return fault("window", "a calendar word goes with %s alone, not with %s", FixedWindow.Info().Item, s.Algorithm.Info().Item)
	case s.Window != 0:
		return fault("window", "%v and the calendar word %s exclude each other", s.Window, s.Calendar)
	}
	return CheckZone(s.Calendar, s.Zone)
}

// CheckWindow returns the fault of a window's length, or nil.
func CheckWindow(w time.Duration) *Fault {
	switch {
	case w <= 0:
		return fault("window", "must be longer than 0")
	case w < MinWindow:
		return fault("window", "%v is too short, the shortest is 1ms", w)
	case w > MaxWindow:
		return fault("window", "%v is too long, the longest is ten years", w)
	case w%time.Microsecond != 0:
		return fault("window", "%v is not a whole number of microseconds", w)
	}
	return nil
}

func (s Spec) checkBurst() *Fault {
	info := s.Algorithm.Info()
	switch {
	case s.Burst == 0:
		return nil
	case !info.Burst:
		return fault("burst", "%s has none", info.Item)
	case s.Burst == NoQueue && s.Algorithm == LeakyBucket:
		return nil
	case s.Burst < 0:
		return fault("burst", "%d is negative", s.Burst)
	case s.Burst > info.MaxLimit:
		return fault("burst", "%d is above %d, the most that %s holds", s.Burst, info.MaxLimit, info.Item)
	}
	return nil
}

// CheckLimit returns the fault of a limit, the rule's or one that comes with a
// request, under a Spec that has no other.
func (s Spec) CheckLimit(limit int64) *Fault {
	if f := s.Algorithm.CheckLimit(limit); f != nil || limit == 0 {
		return f
	}
	if s.Algorithm.Info().Burst && !s.drains(limit) {
		return fault("burst", "%d calls at %d in %v take more than a hundred years", s.Capacity(limit), limit, s.Window)
	}
	return nil
}

// CheckLimit returns the fault of a limit under a, whatever the rest of the
// rule, or nil.
func (a Algorithm) CheckLimit(limit int64) *Fault {
	info := a.Info()
	switch {
	case limit < 0:
		return fault("limit", "%d is negative", limit)
	case limit > info.MaxLimit:
		return fault("limit", "%d is above %d, the most that %s holds", limit, info.MaxLimit, info.Item)
	}
	return nil
}

// CheckName returns the fault of a rule's name, or nil: a name is one or more
// Go identifiers or numbers joined by dots, at most MaxName bytes.
func CheckName(name string) *Fault {
	switch {
	case name == "":
		return fault("name", "is missing")
	case len(name) > MaxName:
		return fault("name", "%q is longer than %d bytes", name, MaxName)
	case !dotted(name):
		return fault("name", "%q is not made of letters, digits and _, joined by single dots", name)
	}
	return nil
}
