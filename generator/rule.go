package generator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/resolve"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Rule is one rule as a directive asks for it.
type Rule struct {
	File      string `json:"file"` // relative to the run's directory
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	Package   string `json:"package"`
	Method    string `json:"method"` // with its type, as in SMSService.SendVerifyCode
	Name      string `json:"name"`
	Algorithm string `json:"algorithm"` // as directives name it
	Limit     int64  `json:"limit"`
	Window    string `json:"window"`
	Key       string `json:"key,omitempty"` // the expression; empty for one bucket
	Tag       string `json:"tag,omitempty"`
	Fail      string `json:"fail,omitempty"` // open or closed; empty for the limiter's policy
	Fallback  string `json:"fallback,omitempty"`
	Message   string `json:"message,omitempty"`

	phrase string
}

// String returns r as "file:line:col: name: what it admits".
func (r Rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s: %s", r.File, r.Line, r.Column, r.Name, r.phrase)
	if r.Key != "" {
		fmt.Fprintf(&b, " for each %s", r.Key)
	}
	if r.Fallback != "" {
		fmt.Fprintf(&b, "; fallback %s", r.Fallback)
	}
	if r.Fail != "" {
		fmt.Fprintf(&b, "; fail %s", r.Fail)
	}
	return b.String()
}

func listed(all []*resolve.NamedRule, dir string) []Rule {
	list := []Rule{}
	for _, n := range all {
		list = append(list, rule(n, dir))
	}
	slices.SortStableFunc(list, func(a, b Rule) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return list
}

func rule(n *resolve.NamedRule, dir string) Rule {
	r := Rule{
		File:      relative(dir, n.Start.Filename),
		Line:      n.Start.Line,
		Column:    n.Start.Column,
		Package:   n.Package,
		Method:    n.Method,
		Name:      n.Name,
		Algorithm: n.Spec.Algorithm.Info().Item,
		Limit:     n.Spec.Limit,
		Window:    n.Spec.Window.String(),
		Tag:       n.Tag,
		Fail:      strings.ToLower(strings.TrimPrefix(n.Fail, "Fail")),
		Message:   n.Message,
		phrase:    rules.Phrase(n.Spec.Algorithm, n.Spec.Limit, n.Spec.Window),
	}
	if n.Key != nil {
		r.Key = n.Key.Text
	}
	if n.Fallback != nil {
		r.Fallback = n.Fallback.Text
	}
	return r
}
