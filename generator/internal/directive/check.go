package directive

import (
	"fmt"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

const (
	// shortWindow is the length below which a rule should name its algorithm.
	shortWindow = 10 * time.Minute

	// longQueue is the time beyond which a rule must say how long its calls
	// may wait in a queue.
	longQueue = 30 * time.Second
)

// Check reports what is wrong with a whole rule, all of its lines and
// defaults joined: a missing limit or window, flags that contradict each
// other, numbers that the algorithm does not hold. It gives a note when a
// short window names no algorithm. About the values of items that are Bad it
// says nothing.
func Check(rule Directive) []Problem {
	if rule.Kind != Rule {
		return contradictions(rule)
	}
	problems := missing(rule)
	problems = append(problems, contradictions(rule)...)
	if len(problems) > 0 || !rule.goodAlgorithm() {
		return problems
	}
	problems = rule.checkNumbers(rule.RuleSpec())
	if len(problems) > 0 {
		return problems
	}
	return unnamedAlgorithm(rule)
}

// Lacks reports whether a rule lacks an item that it must have.
func (d Directive) Lacks() bool { return len(missing(d)) > 0 }

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

// checkNumbers reports what is wrong with the numbers of a rule, which are
// those of spec: its limit may have come out of an expression.
func (d Directive) checkNumbers(spec rules.Spec) []Problem {
	for _, check := range []func(Directive, rules.Spec) *rules.Fault{checkBurst, checkSpec, checkQueue, checkCost} {
		if fault := check(d, spec); fault != nil {
			return []Problem{d.fault(fault)}
		}
	}
	return nil
}

// fault places a fault at its item, or at the window where the rule does not
// have the item.
func (d Directive) fault(fault *rules.Fault) Problem {
	for _, name := range []string{fault.Item, "window"} {
		if item, ok := d.Item(name); ok {
			return at(item, "%v", fault)
		}
	}
	return Problem{Text: fault.Error()}
}

func checkBurst(d Directive, spec rules.Spec) *rules.Fault {
	burst, ok := d.good("burst")
	switch info := spec.Algorithm.Info(); {
	case !ok:
	case !info.Burst:
		return &rules.Fault{Item: "burst", Text: "goes with token or leaky, not with " + info.Item}
	case burst.Int == 0 && !info.Delay:
		return &rules.Fault{Item: "burst", Text: "is at least 1 for " + info.Item}
	}
	return nil
}

// checkSpec leaves a window that is bad out of account.
func checkSpec(d Directive, spec rules.Spec) *rules.Fault {
	if _, ok := d.good("window"); !ok {
		spec.Window, spec.Zone = time.Second, ""
	}
	fault := spec.Check()
	if fault == nil || fault.Item != "tz" {
		return fault
	}
	zone, written := d.Item("tz")
	switch like := zoneLike(zone.Text); {
	case written && zone.Bad:
		return nil
	case like != "":
		return &rules.Fault{Item: "tz", Text: fault.Text + "; did you mean " + like + "?"}
	}
	return fault
}

// checkQueue reports a queue that lasts so long that a rule must say how long
// its calls may wait.
func checkQueue(d Directive, spec rules.Spec) *rules.Fault {
	_, says := d.Item("wait")
	_, known := d.good("limit")
	_, window := d.good("window")
	if says || !known || !window || !spec.Algorithm.Info().Delay {
		return nil
	}
	lasts, ok := queue(spec)
	switch {
	case !ok:
		return &rules.Fault{Item: "leaky", Text: "say with wait= how long a call may wait, since how long the queue lasts depends on the limit"}
	case lasts > longQueue:
		return &rules.Fault{Item: "leaky", Text: fmt.Sprintf("a full queue lasts %v: say with wait= how long a call may wait", lasts)}
	}
	return nil
}

// checkCost reports a cost that no call could ever pay.
func checkCost(d Directive, spec rules.Spec) *rules.Fault {
	cost, ok := d.good("cost")
	if !ok || !cost.Const || spec.Limit == 0 {
		return nil
	}
	if most := spec.MaxCost(spec.Limit); cost.Int > most {
		return &rules.Fault{Item: "cost", Text: fmt.Sprintf("%d is above %d, the most that one call can take: none would ever pass", cost.Int, most)}
	}
	return nil
}

func unnamedAlgorithm(rule Directive) []Problem {
	_, hasLimit := rule.good("limit")
	window, hasWindow := rule.good("window")
	if rule.Bad || !hasLimit || !hasWindow || rule.namesAlgorithm() || window.Duration == 0 || window.Duration >= shortWindow {
		return nil
	}
	text := "no algorithm is named, so the window is fixed"
	if spec := rule.RuleSpec(); spec.Limit > 0 {
		text += " and " + spec.Worst(spec.Limit)
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
