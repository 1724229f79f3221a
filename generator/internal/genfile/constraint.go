package genfile

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Constraint says in which builds a file takes part, as the expression behind
// //go:build, in one form for all that mean the same in an obvious way. It is
// empty for a file that every build has.
type Constraint string

// ConstraintOf is the constraint of a file: of its text, of its name, and of
// further tags. What every build has is no constraint, such as a version of Go
// that the module asks for anyway.
func ConstraintOf(path string, f *ast.File, tags ...string) Constraint {
	all := parts(textConstraint(f), true)
	all = append(all, parts(parse(string(nameConstraint(filepath.Base(path)))), true)...)
	for _, tag := range tags {
		all = append(all, tag)
	}
	all = slices.DeleteFunc(all, func(tag string) bool { return strings.HasPrefix(tag, "go1.") })
	return Constraint(join(all, " && "))
}

// textConstraint is what the comments above the package clause say, nil where
// they say nothing.
func textConstraint(f *ast.File) constraint.Expr {
	var old constraint.Expr
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, comment := range group.List {
			if constraint.IsGoBuild(comment.Text) {
				expr, _ := constraint.Parse(comment.Text)
				return expr
			}
			if constraint.IsPlusBuild(comment.Text) && group != f.Doc {
				old = and(old, comment.Text)
			}
		}
	}
	return old
}

func and(expr constraint.Expr, line string) constraint.Expr {
	more, err := constraint.Parse(line)
	switch {
	case err != nil:
		return expr
	case expr == nil:
		return more
	}
	return &constraint.AndExpr{X: expr, Y: more}
}

// parts are the operands of an expression that is a conjunction, or else a
// disjunction, in their one form.
func parts(expr constraint.Expr, conjunction bool) []string {
	switch e := expr.(type) {
	case nil:
		return nil
	case *constraint.AndExpr:
		if conjunction {
			return slices.Concat(parts(e.X, true), parts(e.Y, true))
		}
	case *constraint.OrExpr:
		if !conjunction {
			return slices.Concat(parts(e.X, false), parts(e.Y, false))
		}
	}
	return []string{operand(expr)}
}

// operand is an expression in its one form, in parentheses where it needs
// them.
func operand(expr constraint.Expr) string {
	switch e := expr.(type) {
	case *constraint.NotExpr:
		return "!" + operand(e.X)
	case *constraint.AndExpr:
		return parenthesized(join(parts(e, true), " && "))
	case *constraint.OrExpr:
		return parenthesized(join(parts(e, false), " || "))
	}
	return expr.String()
}

func parenthesized(text string) string {
	if strings.Contains(text, " ") {
		return "(" + text + ")"
	}
	return text
}

// join makes one expression of its operands: other tags, then systems, then
// architectures, as file names have them.
func join(operands []string, operator string) string {
	slices.SortFunc(operands, func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	operands = slices.Compact(operands)
	if len(operands) == 1 && strings.HasPrefix(operands[0], "(") {
		return operands[0][1 : len(operands[0])-1]
	}
	return strings.Join(operands, operator)
}

func rank(tag string) int {
	tag = strings.TrimPrefix(tag, "!")
	switch {
	case isArch(tag):
		return 2
	case isOS(tag):
		return 1
	}
	return 0
}

// nameConstraint is what the name of a file says by itself.
func nameConstraint(base string) Constraint {
	base, _, _ = strings.Cut(base, ".")
	_, rest, _ := strings.Cut(base, "_")
	words := strings.Split(rest, "_")
	if n := len(words) - 1; words[n] == "test" {
		words = words[:n]
	}
	n := len(words)
	switch {
	case n > 1 && isOS(words[n-2]) && isArch(words[n-1]):
		return Constraint(words[n-2] + " && " + words[n-1])
	case n > 0 && (isOS(words[n-1]) || isArch(words[n-1])):
		return Constraint(words[n-1])
	}
	return ""
}

func isOS(word string) bool   { return known(word) && built("linux_"+word, word) }
func isArch(word string) bool { return known(word) && !built("linux_"+word, word) }

// known reports whether a word at the end of a file's name is a constraint.
func known(word string) bool { return !strings.Contains(word, "_") && !built(word, "none") }

// built reports whether a file whose name ends with words takes part in a
// build for an architecture, of which only the last word counts but where
// the word before is a system.
func built(words, arch string) bool {
	context := build.Context{GOOS: "none", GOARCH: arch, Compiler: "gc", OpenFile: emptyPackage}
	matches, err := context.MatchFile("", "a_"+words+".go")
	return matches && err == nil
}

func emptyPackage(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("package p\n")), nil
}

// maxTags is the most tags of which all combinations are tried.
const maxTags = 12

// Implies reports whether each build that meets c meets d too, as far as that
// can be told.
func (c Constraint) Implies(d Constraint) bool {
	if d == "" || c == d {
		return true
	}
	from, to := parse(string(c)), parse(string(d))
	if from == nil || to == nil {
		return false
	}
	tags := tagsOf(from, to)
	if len(tags) > maxTags {
		return false
	}
	system, arch := filter(tags, isOS), filter(tags, isArch)
	for choice := range 1 << len(tags) {
		has := func(tag string) bool {
			i := slices.Index(tags, tag)
			return i >= 0 && choice>>i&1 == 1
		}
		if from.Eval(has) && !to.Eval(has) && possible(filter(system, has), filter(arch, has), tags, has) {
			return false
		}
	}
	return true
}

func filter(tags []string, keep func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return !keep(tag) })
}

func parse(text string) constraint.Expr {
	if text == "" {
		return nil
	}
	expr, err := constraint.Parse("//go:build " + text)
	if err != nil {
		return nil
	}
	return expr
}

// tagsOf are the tags of expressions, sorted.
func tagsOf(exprs ...constraint.Expr) []string {
	tags := map[string]bool{}
	for _, expr := range exprs {
		expr.Eval(func(tag string) bool { tags[tag] = true; return true })
	}
	return slices.Sorted(maps.Keys(tags))
}

// alsoSet are the systems that have the tag of another one as well.
var alsoSet = map[string]string{"android": "linux", "illumos": "solaris", "ios": "darwin"}

// notUnix are the systems without the tag unix.
var notUnix = []string{"js", "nacl", "plan9", "wasip1", "windows", "zos"}

// possible reports whether a build may have these systems and architectures
// together: it has one of each.
func possible(systems, archs, tags []string, has func(string) bool) bool {
	for _, system := range systems {
		for _, other := range systems {
			if system != other && alsoSet[system] != other && alsoSet[other] != system {
				return false
			}
		}
		if slices.Contains(tags, "unix") && has("unix") == slices.Contains(notUnix, system) {
			return false
		}
	}
	return len(archs) < 2
}
