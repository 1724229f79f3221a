package emit

import (
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// comment returns the lines of a method's comment: its own documentation, then
// what is enforced.
func comment(m *model.Method) []string {
	lines := enforced(m)
	if m.Doc != "" {
		lines = append(strings.Split(m.Doc, "\n"), lines...)
	}
	for i, line := range lines {
		switch {
		case line == "":
			lines[i] = "//"
		case strings.HasPrefix(line, "\t"):
			lines[i] = "//" + line
		default:
			lines[i] = "// " + line
		}
	}
	return lines
}

// enforced says what is enforced, behind a blank line where the method is
// documented.
func enforced(m *model.Method) []string {
	const says = "not limited"
	switch {
	case m.Limit == nil && m.Doc == "" && m.LimitedBy != "":
		return []string{m.Name + " is that of " + m.LimitedBy + "."}
	case m.Limit == nil && m.Doc == "":
		return []string{m.Name + " is " + says + "."}
	case m.Limit == nil && strings.Contains(strings.ToLower(m.Doc), says):
		return nil
	case m.Limit == nil:
		return []string{"", "Not limited."}
	case m.Doc == "":
		return limited(m, m.Name+" is limited")
	}
	return append([]string{""}, limited(m, "Limited")...)
}

func limited(m *model.Method, limited string) []string {
	lines := []string{limited + " to " + phrase(m.Limit.Rules[0]) + "."}
	if len(m.Limit.Rules) > 1 {
		lines = []string{limited + " to all of"}
		for _, r := range m.Limit.Rules {
			lines = append(lines, "  - "+phrase(r))
		}
	}
	return slices.Concat(lines, checked(m.Limit), interpreted(m.Limit))
}

// interpreted tells of the expressions that are no plain Go.
func interpreted(l *model.Limit) []string {
	var items []string
	for _, r := range l.Rules {
		for item, e := range r.Exprs() {
			if !e.Native && !slices.Contains(items, item+"=") {
				items = append(items, item+"=")
			}
		}
	}
	if items == nil {
		return nil
	}
	slices.Sort(items)
	return []string{"", "Parts of " + list(items) + " run on expr's VM."}
}

// checked tells of the checks before the rules.
func checked(l *model.Limit) []string {
	var names []string
	for _, c := range l.Checks {
		names = append(names, c.Text)
	}
	if names == nil {
		return nil
	}
	return []string{"", "Before a call takes anything it must pass " + list(names) + "."}
}

// list joins words as "a, b and c".
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

func phrase(r *model.Rule) string {
	if r.Fallback == nil {
		return r.Phrase()
	}
	return r.Phrase() + "; beyond that " + r.Fallback.Text + " answers"
}
