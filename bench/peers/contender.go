package main

import (
	"errors"
	"fmt"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

// contender is a row of the tables.
type contender struct {
	name  string
	often bool            // is measured in every round
	fast  bool            // its calls are so short that timing each would tell
	only  func(cell) bool // where it is measured; nil is everywhere
	open  func(job) (*subject, error)
	whole func(cell) (sample, error) // in place of open: measures by itself
}

// subject is a contender that is ready for the calls of a job.
type subject struct {
	call  load.Call
	close func()
}

// joins reports whether c is measured at a cell, in a round of all contenders
// or one of those that are measured often.
func (c *contender) joins(at cell, all bool) bool {
	if c.only != nil && !c.only(at) {
		return false
	}
	return c.often || all && (at.job == admitted || at.callers == 1 || at.callers == 128)
}

var errWrongly = errors.New("a first call was decided wrongly")

// ready makes the calls after which all others are to be decided alike.
func (s *subject) ready(j job) error {
	first := &load.Caller{}
	passes, err := s.call(first)
	if err == nil && !passes {
		err = fmt.Errorf("%w: it was refused", errWrongly)
	}
	if err == nil && !j.passes() {
		if passes, err = s.call(first); err == nil && passes {
			err = fmt.Errorf("%w: a second one passed", errWrongly)
		}
	}
	return err
}

// verdict says what is wrong with a slice, if anything.
func verdict(s *load.Sample, j job) error {
	switch {
	case s.Failed > 0:
		return fmt.Errorf("%d of %d calls failed: %w", s.Failed, s.Calls, s.Err)
	case j.passes() && s.Admitted != s.Calls:
		return fmt.Errorf("%d of %d calls were refused", s.Calls-s.Admitted, s.Calls)
	case !j.passes() && s.Admitted > 0:
		return fmt.Errorf("%d of %d calls passed", s.Admitted, s.Calls)
	}
	return nil
}
