package directive

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// shortWindow is the length below which a rule should name its algorithm.
const shortWindow = 10 * time.Minute

// Join makes one rule of a rule's lines, the first of which is a rule and
// the others continue it. The Line of items and problems counts from 0. Items
// that an earlier line has already are reported and left out.
func Join(lines ...Directive) (Directive, []Problem) {
	var rule Directive
	var problems []Problem
	for line, d := range lines {
		if line == 0 {
			rule.Kind = d.Kind
		}
		rule.Broken = rule.Broken || d.Broken
		for _, item := range d.Items {
			item.Line = line
			if _, again := rule.Item(item.Name); again {
				problems = append(problems, at(item, "%s is given twice", item.Name))
				continue
			}
			rule.Items = append(rule.Items, item)
		}
	}
	return rule, problems
}

// Check reports what is wrong with a whole rule, all of its lines and
// defaults joined: a missing limit or window, flags that contradict each
// other, numbers that the algorithm does not hold. It gives a note when a
// short window names no algorithm. About the values of items that are Bad it
// says nothing.
func Check(rule Directive) []Problem {
	if rule.Kind != Rule {
		return nil
	}
	problems := missing(rule)
	problems = append(problems, contradictions(rule)...)
	if len(problems) > 0 {
		return problems
	}
	problems = ranges(rule)
	if len(problems) > 0 {
		return problems
	}
	return unnamedAlgorithm(rule)
}

func missing(rule Directive) []Problem {
	if rule.Broken {
		return nil
	}
	var problems []Problem
	for _, spec := range Items {
		if !spec.Required || spec.In[0] != Rule {
			continue
		}
		if _, ok := rule.Item(spec.Name); !ok {
			problems = append(problems, Problem{Text: fmt.Sprintf("the rule has no %s: add %s=%s", spec.Name, spec.Name, spec.example())})
		}
	}
	return problems
}

func contradictions(rule Directive) []Problem {
	var problems []Problem
	first := make(map[string]string)
	for _, item := range rule.Items {
		group := item.Spec.Group
		switch {
		case group == "" || item.Bad:
		case first[group] == "":
			first[group] = item.Name
		default:
			problems = append(problems, at(item, "%s and %s exclude each other", first[group], item.Name))
		}
	}
	return problems
}

func ranges(rule Directive) []Problem {
	limit, hasLimit := rule.good("limit")
	window, hasWindow := rule.good("window")
	if !rule.goodAlgorithm() || !hasLimit && !hasWindow {
		return nil
	}
	spec := rules.Spec{Algorithm: rule.Algorithm(), Limit: limit.Int, Window: time.Second}
	if hasWindow {
		spec.Window = window.Duration
	}
	fault := spec.Check()
	switch {
	case fault == nil:
		return nil
	case fault.Item == "window":
		return []Problem{at(window, "%v", fault)}
	}
	return []Problem{at(limit, "%v", fault)}
}

func unnamedAlgorithm(rule Directive) []Problem {
	limit, hasLimit := rule.good("limit")
	window, hasWindow := rule.good("window")
	if !hasLimit || !hasWindow || rule.namesAlgorithm() || window.Duration >= shortWindow {
		return nil
	}
	text := "no algorithm is named, so the window is fixed"
	if worst := rules.Worst(rule.Algorithm(), limit.Int); worst != "" && limit.Const {
		text += " and " + worst
	}
	return []Problem{{Text: text + ": say sliding or fixed", Note: true}}
}

// good returns the item of the given name when it is there and not Bad.
func (d Directive) good(name string) (Item, bool) {
	item, ok := d.Item(name)
	return item, ok && !item.Bad
}

func (d Directive) goodAlgorithm() bool {
	for _, item := range d.Items {
		if item.Spec.Group == "algorithm" && item.Bad {
			return false
		}
	}
	return true
}

func (d Directive) namesAlgorithm() bool {
	for _, item := range d.Items {
		if item.Spec.Group == "algorithm" {
			return true
		}
	}
	return false
}

func at(item Item, format string, args ...any) Problem {
	return Problem{Line: item.Line, Off: item.Off, Text: fmt.Sprintf(format, args...)}
}
