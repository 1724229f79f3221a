package collect

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// Package is what the directives of a package ask for.
type Package struct {
	Methods []*Method // those with rules, good or bad, in the order of the source
	Types   []*Type   // those with rules for methods that stand elsewhere, in the order of the source
	Wraps   []*Wrap   // in the order of the source

	Set genfile.Set // of a part: that of all of these
}

// Empty reports whether the directives ask for nothing.
func (p *Package) Empty() bool { return len(p.Methods)+len(p.Types)+len(p.Wraps) == 0 }

// Method is a method of a type or of an interface, or a function, with rules.
type Method struct {
	Callable
	Type  string // that which declares the method; empty for a function
	Rules []Rule // those of the type, then the method's own, each in the order of the source
}

// Callable is the declaration of a method or function.
type Callable struct {
	Name *ast.Ident
	Sig  *ast.FuncType
	From token.Pos // where it starts
}

// Type is a type with rules that reach methods which it does not declare
// itself: an interface, or what may turn out to be one.
type Type struct {
	Spec  *ast.TypeSpec
	Rules []Rule
	Bare  bool // none of its own methods has the rules
}

// Wrap names the wrapper of a type, which may have no rules.
type Wrap struct {
	Type  *ast.TypeSpec
	As    string    // empty where it is bad
	AsPos token.Pos // of the name
	Start token.Pos
	file  *load.File
}

// Read returns what the directives of a package ask for, and whatever is wrong
// with them.
func Read(fset *token.FileSet, pkg *load.Package) (*Package, *diag.List) {
	c := &collector{
		fset:     fset,
		problems: &diag.List{},
		methods:  map[*ast.Ident]*asked{},
		types:    map[string]*asked{},
		aliases:  aliases(pkg),
	}
	for _, f := range pkg.Files {
		switch {
		case f.State == load.Excluded && pkg.Kind == genfile.Base:
			c.excluded(f)
		case f.State != load.Built:
		case f.Syntax.Name.Name != pkg.Name && len(f.Errors) == 0:
			c.stray(f, pkg.Name)
		case ast.IsGenerated(f.Syntax):
			c.refuse(f)
		default:
			c.collect(f)
		}
	}
	return c.assemble(pkg), c.problems
}

type collector struct {
	fset     *token.FileSet
	problems *diag.List
	methods  map[*ast.Ident]*asked // by the names of their declarations
	types    map[string]*asked
	pkg      asked // on package clauses
	wraps    []*Wrap
	aliases  map[string]string
	partial  bool // there are directives that this build leaves out
}

// asked is what the directives on one declaration ask for.
type asked struct {
	spec     *ast.TypeSpec // of a type
	rules    []Rule        // without their defaults
	defaults *Rule
	skip     *line
	wrap     *Wrap
}

func (c *collector) collect(f *load.File) {
	sites := newSites(c.fset, f.Syntax)
	for _, group := range f.Syntax.Comments {
		if found, loose := c.find(group); len(found) > 0 {
			c.settle(f, sites.of(group), c.parse(f, found, loose))
		}
	}
}

// find returns the directives of a comment group, and what stands beside them
// and looks like items. Near misses are reported.
func (c *collector) find(group *ast.CommentGroup) (found, loose []*ast.Comment) {
	for _, comment := range group.List {
		hint, near := directive.Near(comment.Text)
		_, items := directive.Loose(comment.Text)
		switch {
		case directive.Is(comment.Text):
			found = append(found, comment)
		case near:
			c.at(comment.Pos(), "%s", hint)
		case items:
			loose = append(loose, comment)
		}
	}
	return found, loose
}

// refuse reports the directives in a file that a program wrote. What is only
// near to one need not have been meant for us.
func (c *collector) refuse(f *load.File) {
	const why = "directives in generated code are not read: write a type that embeds this one, and limit its methods"
	for _, group := range f.Syntax.Comments {
		for _, comment := range group.List {
			_, near := directive.Near(comment.Text)
			switch {
			case directive.Is(comment.Text):
				c.at(comment.Pos(), why)
			case near:
				c.problems.Notef(c.fset.PositionFor(comment.Pos(), false), why)
			}
		}
	}
}

// excluded notes that directives in a file are not read.
func (c *collector) excluded(f *load.File) {
	const why = "the directives in this file are not read, since this build leaves it out"
	first := firstDirective(f)
	if first == nil {
		return
	}
	c.partial = true
	text := why
	switch f.Set.Constraint {
	case "":
	case "ignore": // which is no tag that one would set
		text = "the directives in this file are not read: go:build ignore keeps it out of all builds"
	default:
		text += "; it is for " + string(f.Set.Constraint) + ": run again with -tags, GOOS, GOARCH or CGO_ENABLED for that"
	}
	c.problems.Notef(c.fset.PositionFor(first.Pos(), false), "%s", text)
}

// stray reports directives in a file of another package than that of its
// folder, which Go does not build.
func (c *collector) stray(f *load.File, name string) {
	if first := firstDirective(f); first != nil {
		c.at(first.Pos(), "this file is of package %s, and others of the folder are of package %s", f.Syntax.Name.Name, name)
	}
}

func firstDirective(f *load.File) *ast.Comment {
	for _, group := range f.Syntax.Comments {
		for _, comment := range group.List {
			if directive.Is(comment.Text) {
				return comment
			}
		}
	}
	return nil
}

// settle decides about the directives of one comment group.
func (c *collector) settle(f *load.File, s site, groups [][]line) {
	for _, group := range groups {
		first := group[0]
		switch why := s.complaint(first.Kind); {
		case why == "":
			c.take(f, s, group)
		case len(f.Errors) > 0: // a brace that is missing, say, puts it elsewhere
			c.problems.Add(f.Errors...)
		default:
			c.at(first.start, "%s", why)
		}
	}
}

func (c *collector) take(f *load.File, s site, group []line) {
	to, first := c.askedOf(s), group[0]
	switch first.Kind {
	case directive.Rule:
		to.rules = append(to.rules, c.join(group))
	case directive.Default:
		if rule := c.join(group); to.defaults == nil {
			to.defaults = &rule
		} else {
			c.again(first, to.defaults.Start())
		}
	case directive.Skip:
		if to.skip == nil {
			to.skip = &first
		} else {
			c.again(first, to.skip.start)
		}
	case directive.Wrap:
		if to.wrap == nil {
			c.takeWrap(f, to, s.spec, first)
		} else {
			c.again(first, to.wrap.Start)
		}
	}
}

// again reports a directive of which there is one already.
func (c *collector) again(l line, first token.Pos) {
	c.at(l.start, "%s is given twice, the first time at %s", l.Kind, c.place(first))
}

// place is where something stands, as messages have it.
func (c *collector) place(pos token.Pos) string {
	p := c.fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func (c *collector) askedOf(s site) *asked {
	switch {
	case s.method != nil:
		return entry(c.methods, s.method)
	case s.spec != nil:
		of := entry(c.types, s.spec.Name.Name)
		of.spec = s.spec
		return of
	}
	return &c.pkg
}

func entry[K comparable](all map[K]*asked, key K) *asked {
	if all[key] == nil {
		all[key] = &asked{}
	}
	return all[key]
}

func (c *collector) takeWrap(f *load.File, to *asked, spec *ast.TypeSpec, l line) {
	to.wrap = &Wrap{Type: spec, Start: l.start, file: f}
	if as, ok := l.Item("as"); ok && !as.Bad {
		to.wrap.As, to.wrap.AsPos = as.Text, l.start+token.Pos(as.ValueOff)
	}
	c.wraps = append(c.wraps, to.wrap)
}

func (c *collector) add(pos token.Pos, p directive.Problem) {
	c.problems.Add(diag.Problem{Pos: c.fset.PositionFor(pos, false), Text: p.Text, Note: p.Note})
}

func (c *collector) at(pos token.Pos, format string, args ...any) {
	c.problems.Addf(c.fset.PositionFor(pos, false), format, args...)
}
