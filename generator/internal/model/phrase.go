package model

import (
	"fmt"
	"strings"
)

// Phrase says in English what a rule admits, at worst as well, and on what
// terms.
func (r *Rule) Phrase() string {
	worst := r.Spec.Worst(r.Spec.Limit)
	if worst == "" || r.Limit != nil {
		return r.Summary()
	}
	return r.numbers() + " (" + worst + ")" + r.terms()
}

// Summary is Phrase without the worst.
func (r *Rule) Summary() string { return r.numbers() + r.terms() }

func (r *Rule) terms() string {
	var b strings.Builder
	b.WriteString(r.bucket())
	if r.When != nil {
		fmt.Fprintf(&b, " when %s", r.When.Text)
	}
	if cost := r.CostText(); cost != "" {
		fmt.Fprintf(&b, "; a call counts as %s", cost)
	}
	if r.Wait > 0 {
		fmt.Fprintf(&b, "; a call waits up to %v", r.Wait)
	}
	if r.Refund != nil {
		b.WriteString("; " + r.Refund.phrase())
	}
	if r.Shadow {
		b.WriteString("; in shadow, so never refused")
	}
	return b.String()
}

// numbers is the phrase of the Spec, also for a limit that each call brings.
func (r *Rule) numbers() string {
	if r.Limit == nil {
		return r.Spec.Phrase(r.Spec.Limit)
	}
	before, after, _ := strings.Cut(r.Spec.Phrase(0), "0 calls")
	after = strings.Replace(after, "up to 0 ", "up to as many ", 1)
	return before + "(" + r.Limit.Text + ") calls" + after
}

func (r *Rule) bucket() string {
	switch {
	case r.By == "ip":
		return " for each IP address"
	case r.By != "" && r.By != "global":
		return " for each " + r.By
	case r.Constant():
		return " for all callers together"
	}
	return " for each " + r.Key.Text
}

func (r *Refund) phrase() string {
	switch r.Const {
	case "OnError":
		return "a call that fails takes nothing"
	case "OnSuccess":
		return "a call that succeeds takes nothing"
	}
	return "a call takes nothing where " + r.Text + " says so of its error"
}
