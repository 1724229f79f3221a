package model

import (
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Algorithm is the rule's algorithm as directives name it.
func (r *Rule) Algorithm() string { return r.Spec.Algorithm.Info().Item }

// LimitText is the rule's limit as a directive has it.
func (r *Rule) LimitText() string {
	if r.Limit != nil {
		return r.Limit.Text
	}
	return strconv.FormatInt(r.Spec.Limit, 10)
}

// WindowText is the length of the rule's window, or its calendar word.
func (r *Rule) WindowText() string {
	if r.Spec.Calendar != rules.NoCalendar {
		return r.Spec.Calendar.String()
	}
	return DurationText(r.Spec.Window)
}

// CostText is the cost of a call as a directive has it, empty where that has
// none.
func (r *Rule) CostText() string {
	switch {
	case r.Cost != nil:
		return r.Cost.Text
	case r.Units > 0:
		return strconv.FormatInt(r.Units, 10)
	}
	return ""
}

// WaitText is how long a call may wait, empty where it may not.
func (r *Rule) WaitText() string {
	if r.Wait == 0 {
		return ""
	}
	return DurationText(r.Wait)
}

// RefundText is the rule's refund as a directive has it, or empty.
func (r *Rule) RefundText() string {
	switch {
	case r.Refund == nil:
		return ""
	case r.Refund.Const == "OnError":
		return "error"
	case r.Refund.Const == "OnSuccess":
		return "success"
	}
	return r.Refund.Text
}

// FallbackText is the rule's fallback as a directive has it, or empty.
func (r *Rule) FallbackText() string {
	if r.Fallback == nil {
		return ""
	}
	return r.Fallback.Text
}
