package resolve

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// NamedRule is a rule as its name sees it.
type NamedRule struct {
	*model.Rule
	Package  string // the path
	Method   string // with its type, as in T.M
	Written  bool   // the directive says the name
	Start    token.Position
	Pos      token.Position // of the name, where it is written
	problems *diag.List     // of the package
}

// note remembers a rule for CheckNames.
func (r *resolver) note(method string, source collect.Rule, rule *model.Rule) {
	if source.Bad {
		return
	}
	_, written := source.Item("name")
	r.rules = append(r.rules, &NamedRule{
		Rule:     rule,
		Package:  r.pkg.Path,
		Method:   method,
		Written:  written,
		Start:    r.fset.PositionFor(source.Start(), false),
		Pos:      r.fset.PositionFor(source.ItemPos("name"), false),
		problems: r.problems,
	})
}

// CheckNames reports the rules of a run that share a name and may not, in the
// packages that they belong to.
func CheckNames(all []*NamedRule) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *NamedRule) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Offset, b.Pos.Offset))
	})
	first := map[string]*NamedRule{}
	for _, rule := range sorted {
		if other := first[rule.Name]; other != nil {
			compare(other, rule)
		} else {
			first[rule.Name] = rule
		}
	}
}

func compare(a, b *NamedRule) {
	switch {
	case !a.Written || !b.Written:
		a.clash(b)
		b.clash(a)
	case a.numbers() != b.numbers():
		b.problems.Addf(b.Pos, "rules named %s share buckets, but this one has %s and that at %s has %s", b.Name, b.numbers(), a.where(b), a.numbers())
	case a.Tag != b.Tag || (a.CallTag == nil) != (b.CallTag == nil):
		b.problems.Addf(b.Pos, "rules named %s share buckets, but this one has tag %q and that at %s has %q", b.Name, b.Tag, a.where(b), a.Tag)
	case a.Private != b.Private:
		b.problems.Addf(b.Pos, "rules named %s share buckets, so this one and that at %s are both private or none is", b.Name, a.where(b))
	}
}

// clash reports that a rule has the name of another one by accident.
func (n *NamedRule) clash(other *NamedRule) {
	if n.Written {
		n.problems.Addf(n.Pos, "%s is what the rule at %s is called by itself; write another name, or this one there as well", n.Name, other.where(n))
		return
	}
	n.problems.Addf(n.Pos, "the rule at %s is called %s as well: write name= in both or in one of them", other.where(n), n.Name)
}

// numbers is what rules of one name have in common, as a directive has it.
func (n *NamedRule) numbers() string {
	items := []string{n.Spec.Algorithm.Info().Item, "limit=" + n.LimitText()}
	if n.Spec.Calendar == rules.NoCalendar {
		items = append(items, "window="+model.DurationText(n.Spec.Window))
	} else {
		items = append(items, "window="+n.Spec.Calendar.String(), "tz="+n.Spec.ZoneName())
	}
	switch {
	case n.Spec.Burst == rules.NoQueue:
		items = append(items, "burst=0")
	case n.Spec.Burst > 0:
		items = append(items, fmt.Sprintf("burst=%d", n.Spec.Burst))
	}
	return strings.Join(items, " ")
}

// where is the place of n as seen from another rule.
func (n *NamedRule) where(from *NamedRule) string {
	place := fmt.Sprintf("%s:%d", filepath.Base(n.Pos.Filename), n.Pos.Line)
	if n.Package == from.Package {
		return place
	}
	return place + " of package " + n.Package
}
