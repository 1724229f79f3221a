package resolve

import (
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// limit resolves the rules of a limited method.
func (r *resolver) limit(t *target, m *method) {
	if !r.answerable(m) {
		return
	}
	m.Limit = &model.Limit{}
	base := r.pkg.Name + "." + t.wrapper.Type + "." + m.Name
	tag := r.tag(m.source, base)
	scope := r.keyScope(t, m)
	unnamed := 0
	for _, source := range m.source.Rules {
		name := text(source, "name")
		if name == "" {
			unnamed++
			name = numbered(base, unnamed)
		}
		rule := &model.Rule{
			Spec:     spec(source),
			Name:     name,
			Tag:      tag,
			Message:  text(source, "message"),
			Fail:     failures[text(source, "fail")],
			Key:      r.key(m, source, scope),
			Fallback: r.fallback(t, m, source),
		}
		m.Limit.Rules = append(m.Limit.Rules, rule)
		r.note(t.wrapper.Type+"."+m.Name, source, rule)
	}
}

var failures = map[string]string{"open": "FailOpen", "closed": "FailClosed"}

func spec(rule collect.Rule) rules.Spec {
	limit, _ := rule.Item("limit")
	window, _ := rule.Item("window")
	return rules.Spec{Algorithm: rule.Algorithm(), Limit: limit.Int, Window: window.Duration}
}

// text is the value of a constant item, "" where the rule has none.
func text(rule collect.Rule, item string) string {
	it, _ := rule.Item(item)
	return it.Text
}

func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return base + "." + strconv.Itoa(n)
}

// answerable reports what makes a refusal of the method impossible to answer.
func (r *resolver) answerable(m *method) bool {
	results := m.sig.Results()
	if last := results.Len() - 1; last >= 0 && isError(results.At(last).Type()) {
		return true
	}
	for v := range results.Variables() {
		if isError(v.Type()) {
			r.at(m.start(), "%s returns its error before its last result; only a last one can tell of a refusal", m.Name)
			return false
		}
	}
	good := true
	for _, rule := range m.source.Rules {
		if _, ok := rule.Item("fallback"); !ok {
			good = false
			r.at(rule.Start(), "%s returns no error that could tell of a refusal: give the rule a fallback=", m.Name)
		}
	}
	return good
}

// tag returns the tag of a method's rules.
func (r *resolver) tag(m *collect.Method, base string) string {
	tag := ""
	for _, rule := range m.Rules {
		own := text(rule, "tag")
		switch {
		case own == "" || own == tag:
		case tag == "":
			tag = own
		default:
			r.at(rule.ItemPos("tag"), "the rules of a method have one tag, and one above has %q", tag)
		}
	}
	if tag == "" && len(m.Rules) > 1 {
		r.namesNeedTag(m)
		return base
	}
	return tag
}

// namesNeedTag reports the named rules of a method with several and no tag:
// rules of one name have one tag, wherever they stand, so it cannot be that
// which the method would have by itself.
func (r *resolver) namesNeedTag(m *collect.Method) {
	for _, rule := range m.Rules {
		if name := text(rule, "name"); name != "" {
			r.at(rule.ItemPos("name"), "a rule with a name that is decided together with others needs a tag: add tag=%q", name)
		}
	}
}
