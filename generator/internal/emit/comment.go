package emit

import (
	"fmt"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
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
	case m.Limit == nil && m.Doc == "":
		return []string{m.Name + " is not limited."}
	case m.Limit == nil:
		return []string{"Not limited."}
	case len(m.Limit.Rules) == 1:
		return []string{limited + " to " + phrase(m.Limit.Rules[0]) + "."}
	}
	lines := []string{limited + " to all of"}
	for _, r := range m.Limit.Rules {
		lines = append(lines, "  - "+phrase(r))
	}
	return lines
}

func phrase(r *model.Rule) string {
	var b strings.Builder
	b.WriteString(rules.Phrase(r.Spec.Algorithm, r.Spec.Limit, r.Spec.Window))
	if worst := rules.Worst(r.Spec.Algorithm, r.Spec.Limit); worst != "" {
		fmt.Fprintf(&b, " (%s)", worst)
	}
	if r.Key != nil && !r.Key.Constant() {
		fmt.Fprintf(&b, " for each %s", r.Key.Text)
	} else {
		b.WriteString(" for all callers together")
	}
	if r.Fallback != nil {
		fmt.Fprintf(&b, "; beyond that %s answers", r.Fallback.Text)
	}
	return b.String()
}
