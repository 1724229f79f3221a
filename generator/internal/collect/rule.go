package collect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// Rule is one rule with all of its lines, those of its defaults behind its own.
type Rule struct {
	directive.Directive
	Bad    bool // it has a problem, which was reported
	OfType bool // it stands on the method's type
	lines  []line
	own    int // how many of lines are no defaults
}

// line is one parsed directive.
type line struct {
	directive.Directive
	start token.Pos // where its text starts
	file  *load.File
	loose []*ast.Comment // lines beside it that have items and are no directives
}

// Pos is where a byte of the rule's text stands; line as in directive.Item.
func (r Rule) Pos(line, off int) token.Pos { return r.lines[line].start + token.Pos(off) }

// Start is where the rule starts.
func (r Rule) Start() token.Pos { return r.lines[0].start }

// File is the file in which a line of the rule stands, by whose imports its
// names are meant.
func (r Rule) File(line int) *load.File { return r.lines[line].file }

// Elsewhere reports whether a line of the rule does not stand on the method
// that it limits.
func (r Rule) Elsewhere(line int) bool { return r.OfType || line >= r.own }

// ItemPos is where an item stands, or the rule where it has none of the name.
func (r Rule) ItemPos(name string) token.Pos {
	if item, ok := r.Item(name); ok {
		return r.Pos(item.Line, item.Off)
	}
	return r.Start()
}

// ValuePos is where the value of an item stands, or the rule where it has no
// item of the name.
func (r Rule) ValuePos(name string) token.Pos {
	if item, ok := r.Item(name); ok {
		return r.Pos(item.Line, item.ValueOff)
	}
	return r.Start()
}

// parse reads directives and groups them: a rule or a default with what
// continues it, any other directive by itself.
func (c *collector) parse(f *load.File, found, loose []*ast.Comment) [][]line {
	var groups [][]line
	for _, comment := range found {
		d, problems := directive.Parse(comment.Text)
		for _, p := range problems {
			c.add(comment.Pos()+token.Pos(p.Off), p)
		}
		l := line{d, comment.Pos(), f, loose}
		last := len(groups) - 1
		switch {
		case d.Kind != directive.And:
			groups = append(groups, []line{l})
		case last >= 0 && continues(groups[last][0].Kind):
			groups[last] = append(groups[last], l)
		default:
			c.at(l.start, "there is no rule above that this line could continue")
		}
	}
	return groups
}

func continues(kind directive.Kind) bool {
	return kind == directive.Rule || kind == directive.Default
}

// join makes one rule, or one default, of its lines. What is missing in a rule
// is not known before it has its defaults.
func (c *collector) join(lines []line) Rule {
	rule := Rule{lines: lines, own: len(lines)}
	var parts []directive.Directive
	for _, l := range lines {
		parts = append(parts, l.Directive)
	}
	joined, problems := directive.Join(parts...)
	rule.Directive = joined
	if joined.Kind != directive.Rule {
		problems = append(problems, directive.Check(joined)...)
	}
	c.report(&rule, problems)
	return rule
}

// complete adds to a rule what it takes of a default, which may be nil, and
// checks it as a whole.
func (c *collector) complete(rule Rule, defaults *Rule) Rule {
	if defaults != nil {
		rule = rule.inherit(*defaults)
	}
	problems := directive.Check(rule.Directive)
	for i, p := range problems {
		if p.Line >= rule.own {
			problems[i].Text = "for the rule at " + c.place(rule.Start()) + ": " + p.Text
		}
	}
	c.report(&rule, problems)
	if rule.Lacks() {
		c.loose(rule.lines[0].loose)
	}
	return rule
}

// loose reports lines in which the rest of a rule may stand.
func (c *collector) loose(comments []*ast.Comment) {
	for _, comment := range comments {
		items, _ := directive.Loose(comment.Text)
		c.at(comment.Pos(), "a directive is one line: write %sand %s to continue it", directive.Prefix, items)
	}
}

func (r Rule) inherit(defaults Rule) Rule {
	r.Directive = r.Directive.Inherit(defaults.Directive, len(r.lines))
	r.Bad = r.Bad || defaults.Bad
	r.lines = slices.Concat(r.lines, defaults.lines)
	return r
}

func (c *collector) report(rule *Rule, problems []directive.Problem) {
	bad := func(it directive.Item) bool { return it.Bad }
	rule.Bad = rule.Bad || rule.Directive.Bad || slices.ContainsFunc(rule.Items, bad)
	for _, p := range problems {
		c.add(rule.Pos(p.Line, p.Off), p)
		rule.Bad = rule.Bad || !p.Note
	}
}
