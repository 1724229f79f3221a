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

	// MinWindow and MaxWindow bound a window's length.
	MinWindow = time.Millisecond
	MaxWindow = 10 * 366 * 24 * time.Hour

	// MaxName is the longest name of a rule, in bytes.
	MaxName = 128
)

// Spec is the part of a rule that decides: rules that share a name have equal
// Specs but for a limit that comes with the request.
type Spec struct {
	Algorithm Algorithm
	Limit     int64 // 0: comes with the request
	Window    time.Duration
}

// Fault says what is wrong with a Spec, and with which directive item.
type Fault struct {
	Item string
	Text string
}

func (f *Fault) Error() string { return f.Item + ": " + f.Text }

// Check returns the first fault of s, or nil.
func (s Spec) Check() *Fault {
	if !s.Algorithm.Valid() {
		return &Fault{"algorithm", fmt.Sprintf("there is no algorithm %d", s.Algorithm)}
	}
	if f := CheckWindow(s.Window); f != nil {
		return f
	}
	return s.Algorithm.CheckLimit(s.Limit)
}

// CheckWindow returns the fault of a window's length, or nil.
func CheckWindow(w time.Duration) *Fault {
	switch {
	case w <= 0:
		return &Fault{"window", "must be longer than 0"}
	case w < MinWindow:
		return &Fault{"window", fmt.Sprintf("%v is too short, the shortest is 1ms", w)}
	case w > MaxWindow:
		return &Fault{"window", fmt.Sprintf("%v is too long, the longest is ten years", w)}
	case w%time.Microsecond != 0:
		return &Fault{"window", fmt.Sprintf("%v is not a whole number of microseconds", w)}
	}
	return nil
}

// CheckLimit returns the fault of a limit under a, or nil.
func (a Algorithm) CheckLimit(limit int64) *Fault {
	info := a.Info()
	switch {
	case limit < 0:
		return &Fault{"limit", fmt.Sprintf("%d is negative", limit)}
	case limit > info.MaxLimit:
		return &Fault{"limit", fmt.Sprintf("%d is above %d, the most that %s holds", limit, info.MaxLimit, info.Item)}
	}
	return nil
}

// CheckName returns the fault of a rule's name, or nil: a name is one or more
// Go identifiers or numbers joined by dots, at most MaxName bytes.
func CheckName(name string) *Fault {
	switch {
	case name == "":
		return &Fault{"name", "is missing"}
	case len(name) > MaxName:
		return &Fault{"name", fmt.Sprintf("%q is longer than %d bytes", name, MaxName)}
	case !dotted(name):
		return &Fault{"name", fmt.Sprintf("%q is not made of letters, digits and _, joined by single dots", name)}
	}
	return nil
}
