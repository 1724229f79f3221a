package generator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/resolve"
)

// Rule is one rule as a directive asks for it.
type Rule struct {
	File      string `json:"file"` // relative to the run's directory
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	Package   string `json:"package"`
	Method    string `json:"method"` // with its type, as in SMSService.SendVerifyCode
	Name      string `json:"name"`
	Algorithm string `json:"algorithm"`           // as directives name it
	Limit     int64  `json:"limit"`               // 0 where an expression says it
	LimitBy   string `json:"limitBy,omitempty"`   // that expression
	Window    string `json:"window"`              // a length, or a calendar word
	Zone      string `json:"zone,omitempty"`      // of the calendar
	Burst     int64  `json:"burst,omitempty"`     // -1: no queue; 0 for the limit
	Dimension string `json:"dimension,omitempty"` // of by=
	Key       string `json:"key,omitempty"`       // the expression; empty for one bucket
	When      string `json:"when,omitempty"`      // the expressions, likewise empty where there are none
	Cost      string `json:"cost,omitempty"`
	Tag       string `json:"tag,omitempty"`
	Fail      string `json:"fail,omitempty"` // open or closed; empty for the limiter's policy
	Fallback  string `json:"fallback,omitempty"`
	Message   string `json:"message,omitempty"`
	Wait      string `json:"wait,omitempty"`
	Refund    string `json:"refund,omitempty"` // error, success or a function
	Log       string `json:"log,omitempty"`
	Private   bool   `json:"private,omitempty"`
	Shadow    bool   `json:"shadow,omitempty"`

	phrase string
}

// String returns r as "file:line:col: name: what it admits".
func (r Rule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: %s: %s", r.File, r.Line, r.Column, r.Name, r.phrase)
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
	return Rule{
		File:      relative(dir, n.Start.Filename),
		Line:      n.Start.Line,
		Column:    n.Start.Column,
		Package:   n.Package,
		Method:    n.Method,
		Name:      n.Name,
		Algorithm: n.Algorithm(),
		Limit:     n.Spec.Limit,
		LimitBy:   source(n.Limit),
		Window:    n.WindowText(),
		Zone:      n.Spec.Zone,
		Burst:     n.Spec.Burst,
		Dimension: n.By,
		Key:       source(n.Key),
		When:      source(n.When),
		Cost:      n.CostText(),
		Tag:       n.Tag,
		Fail:      word("Fail", n.Fail),
		Fallback:  n.FallbackText(),
		Message:   n.Message,
		Wait:      n.WaitText(),
		Refund:    n.RefundText(),
		Log:       word("Log", n.Log),
		Private:   n.Private,
		Shadow:    n.Shadow,
		phrase:    n.Summary(),
	}
}

func source(e *keyexpr.Expr) string {
	if e == nil {
		return ""
	}
	return e.Text
}

// word is the word of a directive for a constant of the runtime.
func word(prefix, constant string) string {
	return strings.ToLower(strings.TrimPrefix(constant, prefix))
}
