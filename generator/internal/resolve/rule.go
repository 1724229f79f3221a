package resolve

import (
	"strconv"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// limit resolves the rules of a limited method.
func (r *resolver) limit(m *method) {
	if !r.answerable(m) {
		return
	}
	m.Limit = &model.Limit{Checks: r.checks(m)}
	base := r.pkg.Name + "." + m.place()
	unnamed := 0
	for _, source := range m.source.Rules {
		name := text(source, "name")
		if name == "" {
			unnamed++
			name = numbered(base, unnamed)
		}
		r.rule(m, source, name)
	}
	r.oneQueue(m)
	r.tag(m, base)
	for i, rule := range m.Limit.Rules {
		r.tooLong(m, m.sources[i], rule)
		r.note(m.place(), m.sources[i], rule)
	}
	r.advise(m)
}

// tooLong reports a name that is too long after what was added to it, or that
// nobody wrote.
func (r *resolver) tooLong(m *method, source collect.Rule, rule *model.Rule) {
	item, written := source.Item("name")
	switch {
	case rules.CheckName(rule.Name) == nil:
	case written:
		r.problem(m, source, item, source.ItemPos("name"), "the rule is called %s then, which is longer than %d bytes: choose a shorter name", rule.Name, rules.MaxName)
	default:
		r.problem(m, source, directive.Item{}, source.Start(), "the rule would be called %s, which is longer than %d bytes: write name=", rule.Name, rules.MaxName)
	}
}

// rule adds the rule of a directive, or one for each dimension of its by=.
func (r *resolver) rule(m *method, source collect.Rule, name string) {
	rule := model.Rule{
		Name:     name,
		Named:    has(source, "name"),
		Message:  text(source, "message"),
		Fail:     constName("Fail", text(source, "fail")),
		Log:      constName("Log", text(source, "log")),
		Private:  has(source, "private"),
		Shadow:   has(source, "shadow"),
		Refund:   r.refund(m, source),
		Fallback: r.fallback(m, source),
		When:     r.compile(m, source, "when", keyexpr.WantBool),
		Key:      r.compile(m, source, "key", keyexpr.WantKey),
		Limit:    r.number(m, &source, "limit"),
		Cost:     r.number(m, &source, "cost"),
	}
	rule.Spec = source.RuleSpec()
	if wait, ok := source.Item("wait"); ok {
		rule.Wait = wait.Duration
	}
	if cost, ok := source.Item("cost"); ok {
		rule.Units = cost.Int
	}
	by, ok := source.Item("by")
	if !ok || by.Bad {
		m.add(&rule, source)
		return
	}
	off := by.ValueOff
	for dimension := range strings.SplitSeq(by.Text, ",") {
		one := rule
		one.By, one.Name = dimension, name+"."+dimension
		one.Key = r.dimension(m, source, off, dimension)
		m.add(&one, source)
		off += len(dimension) + 1
	}
}

func (m *method) add(rule *model.Rule, source collect.Rule) {
	m.Limit.Rules = append(m.Limit.Rules, rule)
	m.sources = append(m.sources, source)
}

// constName is the name of a constant of the runtime, empty for no word.
func constName(prefix, word string) string {
	if word == "" {
		return ""
	}
	return prefix + strings.ToUpper(word[:1]) + word[1:]
}

func has(rule collect.Rule, item string) bool {
	_, ok := rule.Item(item)
	return ok
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

// oneQueue reports rules that would have a call wait in a second queue.
func (r *resolver) oneQueue(m *method) {
	first := ""
	for i, rule := range m.Limit.Rules {
		switch {
		case !rule.Spec.Algorithm.Info().Delay:
		case first == "":
			first = rule.Name
		default:
			source := m.sources[i]
			r.at(source.ItemPos("leaky"), "a method has one leaky rule, and %s has %s already", m.Name, first)
		}
	}
}

// answerable reports what makes a refusal of the method impossible to answer.
func (r *resolver) answerable(m *method) bool {
	if m.returnsError() {
		return true
	}
	for v := range m.sig.Results().Variables() {
		if isError(v.Type()) {
			r.at(m.start(), "%s returns its error before its last result; only a last one can tell of a refusal", m.Name)
			return false
		}
	}
	good := true
	for _, rule := range m.source.Rules {
		switch {
		case has(rule, "fallback") || has(rule, "shadow"):
			continue
		case rule.OfType:
			r.at(rule.Start(), "%s returns no error that could tell of a refusal: write //ratelimit:skip on it, or give the rule a fallback=", m.Name)
		default:
			r.at(rule.Start(), "%s returns no error that could tell of a refusal: give the rule a fallback=", m.Name)
		}
		good = false
	}
	return good
}

func (m *method) returnsError() bool {
	last := m.sig.Results().Len() - 1
	return last >= 0 && isError(m.sig.Results().At(last).Type())
}
