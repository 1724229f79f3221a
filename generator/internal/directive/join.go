package directive

import (
	"slices"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Join makes one directive of its lines, the first of which is a rule or a
// default and the others continue it. The Line of items and problems counts
// from 0. Items that an earlier line has already, or that may not stand in
// what they continue, are reported and left out.
func Join(lines ...Directive) (Directive, []Problem) {
	var whole Directive
	var problems []Problem
	for line, d := range lines {
		if line == 0 {
			whole.Kind = d.Kind
		}
		whole.Broken, whole.Bad = whole.Broken || d.Broken, whole.Bad || d.Bad
		for _, item := range d.Items {
			item.Line = line
			switch _, again := whole.Item(item.Name); {
			case again:
				problems = append(problems, at(item, "%s is given twice", item.Name))
			case !slices.Contains(item.Spec.In, whole.Kind):
				problems = append(problems, at(item, "%s cannot stand in %s, only in %s", item.Name, whole.Kind, item.Spec.In[0]))
			default:
				whole.Items = append(whole.Items, item)
			}
		}
	}
	return whole, problems
}

// Inherit returns d with those items of defaults that d does not replace.
// Their Line is raised by line, the number of the lines of d.
//
// An item replaces the one of its name and those of its group: key= the by= of
// the default, sliding its fixed. A rule that names another algorithm than the
// default drops the default's burst, one with a duration its time zone, and one
// with a calendar word, which goes with fixed alone, its algorithm.
func (d Directive) Inherit(defaults Directive, line int) Directive {
	whole := d
	whole.Broken, whole.Bad = d.Broken || defaults.Broken, d.Bad || defaults.Bad
	whole.Items = slices.Clone(d.Items)
	for _, item := range defaults.Items {
		if !d.replaces(item, defaults) {
			item.Line += line
			whole.Items = append(whole.Items, item)
		}
	}
	return whole
}

func (d Directive) replaces(item Item, defaults Directive) bool {
	window, ownWindow := d.Item("window")
	onCalendar := ownWindow && !window.Bad && window.Duration == 0 && !d.namesAlgorithm() && defaults.Algorithm() != rules.FixedWindow
	switch {
	case item.Name == "burst" && defaults.namesAlgorithm():
		if onCalendar || d.namesAlgorithm() && d.Algorithm() != defaults.Algorithm() {
			return true
		}
	case item.Name == "tz" && window.Duration > 0, item.Spec.Group == "algorithm" && onCalendar:
		return true
	}
	return slices.ContainsFunc(d.Items, func(own Item) bool {
		return own.Name == item.Name || own.Spec.Group != "" && own.Spec.Group == item.Spec.Group
	})
}
