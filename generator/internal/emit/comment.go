package emit

import (
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// comment returns the lines of a method's comment: its own documentation, then
// what is enforced.
func comment(m *model.Method) []string {
	var lines []string
	if m.Doc != "" {
		lines = append(strings.Split(m.Doc, "\n"), "")
	}
	lines = append(lines, enforced(m)...)
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

func enforced(m *model.Method) []string {
	limited := "Limited"
	if m.Doc == "" {
		limited = m.Name + " is limited"
	}
	switch {
	case m.Limit == nil && m.LimitedBy != "":
		return []string{m.Name + " is that of " + m.LimitedBy + "."}
	case m.Limit == nil && m.Doc == "":
		return []string{m.Name + " is not limited."}
	case m.Limit == nil:
		return []string{"Not limited."}
	case len(m.Limit.Rules) == 1:
		return append([]string{limited + " to " + phrase(m.Limit.Rules[0]) + "."}, checked(m.Limit)...)
	}
	lines := []string{limited + " to all of"}
	for _, r := range m.Limit.Rules {
		lines = append(lines, "  - "+phrase(r))
	}
	return append(lines, checked(m.Limit)...)
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
	return []string{"", "Before a call takes anything it must pass " + strings.Join(names, " and ") + "."}
}

func phrase(r *model.Rule) string {
	if r.Fallback == nil {
		return r.Phrase()
	}
	return r.Phrase() + "; beyond that " + r.Fallback.Text + " answers"
}
