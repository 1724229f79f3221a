package resolve

import (
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// tag gives the rules of a method their tag: that of a directive, or the name
// of the method where there are several rules.
//
// A tag that depends on the call stands in the rules as it is written, for the
// calls for which it is empty or broken: rules that are decided together, and
// those of one name, have the same one always.
func (r *resolver) tag(m *method, base string) {
	source, ok := r.tagged(m)
	if !ok {
		if len(m.Limit.Rules) > 1 {
			r.namesNeedTag(m, base)
			m.setTag(base, nil)
		}
		return
	}
	item, _ := source.Item("tag")
	if item.Const {
		m.setTag(item.Text, nil)
		return
	}
	expr := r.compile(m, source, "tag", keyexpr.WantString)
	if expr == nil {
		return
	}
	r.determined(m, source, expr)
	m.setTag(expr.Text, expr)
}

// tagged returns the rule that has the tag of a method's rules.
func (r *resolver) tagged(m *method) (rule collect.Rule, ok bool) {
	for _, source := range m.source.Rules {
		item, has := source.Item("tag")
		switch {
		case !has || item.Bad:
		case !ok:
			rule, ok = source, true
		case rule.ItemPos("tag") == source.ItemPos("tag") || value(rule, "tag") == item.Value:
		default:
			r.problem(m, source, item, source.ItemPos("tag"), "the rules of a method have one tag, and one above has %s", value(rule, "tag"))
		}
	}
	return rule, ok
}

func value(rule collect.Rule, name string) string {
	item, _ := rule.Item(name)
	return item.Value
}

func (m *method) setTag(tag string, expr *keyexpr.Expr) {
	private := slices.ContainsFunc(m.Limit.Rules, func(rule *model.Rule) bool { return rule.Private })
	for _, rule := range m.Limit.Rules {
		rule.Tag, rule.CallTag, rule.Digested = tag, expr, private
	}
}

// namesNeedTag reports the named rules of a method with several and no tag:
// rules of one name have one tag, wherever they stand, so it cannot be that
// which the method would have by itself.
func (r *resolver) namesNeedTag(m *method, base string) {
	for _, rule := range m.source.Rules {
		if name := text(rule, "name"); name != "" {
			item, _ := rule.Item("name")
			r.problem(m, rule, item, rule.ItemPos("name"), "a rule with a name that is decided together with others needs a tag, since rules of one name have one tag wherever they stand: add tag=%q", base)
		}
	}
}
