package collect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// Method is a method with rules.
type Method struct {
	File  *load.File
	Decl  *ast.FuncDecl
	Type  string // the receiver's type, as the source names it
	Rules []Rule // in the order of the source
}

// Rule is one rule with all of its lines.
type Rule struct {
	directive.Directive
	Bad    bool        // it has a problem, which was reported
	starts []token.Pos // where the text of each line starts
}

// Pos is where a byte of the rule's text stands; line as in directive.Item.
func (r Rule) Pos(line, off int) token.Pos { return r.starts[line] + token.Pos(off) }

// Start is where the rule starts.
func (r Rule) Start() token.Pos { return r.starts[0] }

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

// Package returns the methods of a package that have rules, good or bad, in
// the order of the source, and whatever is wrong with its directives.
func Package(fset *token.FileSet, pkg *load.Package) ([]*Method, *diag.List) {
	c := &collector{fset: fset, problems: &diag.List{}}
	for _, f := range pkg.Files {
		if !ast.IsGenerated(f.Syntax) {
			c.collect(f)
		}
	}
	return c.methods, c.problems
}

type collector struct {
	fset     *token.FileSet
	problems *diag.List
	methods  []*Method
}

func (c *collector) collect(f *load.File) {
	sites := newSites(f.Syntax)
	for _, group := range f.Syntax.Comments {
		var found []*ast.Comment
		for _, comment := range group.List {
			if directive.Is(comment.Text) {
				found = append(found, comment)
			} else if hint, ok := near(comment.Text); ok {
				c.at(comment.Pos(), "%s", hint)
			}
		}
		if len(found) > 0 {
			c.place(f, sites.of(group), found)
		}
	}
}

// place decides about the directives of one comment group.
func (c *collector) place(f *load.File, s site, found []*ast.Comment) {
	why := unsupported(f)
	if s.complaint != "" {
		why = s.complaint
	}
	if why == "" {
		c.method(f, s.method, found)
		return
	}
	for _, comment := range found {
		c.at(comment.Pos(), "%s", why)
	}
}

func (c *collector) method(f *load.File, decl *ast.FuncDecl, found []*ast.Comment) {
	m := &Method{File: f, Decl: decl, Type: ReceiverType(decl)}
	for _, lines := range c.parse(found) {
		m.Rules = append(m.Rules, c.join(lines))
	}
	if len(m.Rules) > 0 {
		c.methods = append(c.methods, m)
	}
}

// line is one parsed directive.
type line struct {
	directive.Directive
	start token.Pos
}

// parse reads directives and groups them to rules: a rule and what continues
// it.
func (c *collector) parse(found []*ast.Comment) [][]line {
	var groups [][]line
	for _, comment := range found {
		d, problems := directive.Parse(comment.Text)
		for _, p := range problems {
			c.add(comment.Pos()+token.Pos(p.Off), p)
		}
		l := line{d, comment.Pos()}
		switch {
		case d.Kind == directive.Rule:
			groups = append(groups, []line{l})
		case d.Kind == directive.And && len(groups) > 0:
			groups[len(groups)-1] = append(groups[len(groups)-1], l)
		case len(problems) > 0:
		case d.Kind == directive.And:
			c.at(comment.Pos(), "there is no rule above that this line could continue")
		default:
			c.at(comment.Pos(), "this directive is not supported yet")
		}
	}
	return groups
}

// join makes one rule of its lines and checks it as a whole.
func (c *collector) join(lines []line) Rule {
	var rule Rule
	var parts []directive.Directive
	for _, l := range lines {
		parts = append(parts, l.Directive)
		rule.starts = append(rule.starts, l.start)
	}
	joined, problems := directive.Join(parts...)
	rule.Directive = joined
	problems = append(problems, directive.Check(joined)...)
	rule.Bad = joined.Broken || slices.ContainsFunc(joined.Items, func(it directive.Item) bool { return it.Bad })
	for _, p := range problems {
		c.add(rule.Pos(p.Line, p.Off), p)
		rule.Bad = rule.Bad || !p.Note
	}
	return rule
}

func (c *collector) add(pos token.Pos, p directive.Problem) {
	c.problems.Add(diag.Problem{Pos: c.fset.PositionFor(pos, false), Text: p.Text, Note: p.Note})
}

func (c *collector) at(pos token.Pos, format string, args ...any) {
	c.problems.Addf(c.fset.PositionFor(pos, false), format, args...)
}
