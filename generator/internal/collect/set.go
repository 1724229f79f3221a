package collect

import (
	"cmp"
	"go/token"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// Sets are the parts of what a package asks for that belong into files of
// their own. One whose builds have another as well comes behind that.
func (p *Package) Sets() []*Package {
	parts := map[genfile.Set]*Package{}
	part := func(set genfile.Set) *Package {
		if parts[set] == nil {
			parts[set] = &Package{Set: set}
		}
		return parts[set]
	}
	for _, m := range p.Methods {
		to := part(m.set())
		to.Methods = append(to.Methods, m)
	}
	for _, t := range p.Types {
		to := part(t.set())
		to.Types = append(to.Types, t)
	}
	for _, w := range p.Wraps {
		to := part(w.file.Set)
		to.Wraps = append(to.Wraps, w)
	}
	return inOrder(slices.Collect(maps.Values(parts)))
}

// inOrder sorts parts by how many of them their builds have.
func inOrder(parts []*Package) []*Package {
	covered := map[*Package]int{}
	for _, p := range parts {
		for _, other := range parts {
			if p.Set.Covers(other.Set) {
				covered[p]++
			}
		}
	}
	slices.SortFunc(parts, func(a, b *Package) int {
		return cmp.Or(cmp.Compare(covered[a], covered[b]), strings.Compare(a.Set.Name(), b.Set.Name()))
	})
	return parts
}

// Start is where the first of the directives stands.
func (p *Package) Start() token.Pos {
	var all []token.Pos
	for _, at := range places(p) {
		all = append(all, at.pos)
	}
	return slices.Min(all)
}

func (m *Method) set() genfile.Set { return m.Rules[0].set() }
func (t *Type) set() genfile.Set   { return t.Rules[0].set() }

// set is that of the file in which the rule starts.
func (r Rule) set() genfile.Set { return r.lines[0].file.Set }

// only is what is asked for in files of a kind.
func (p *Package) only(kind genfile.Kind) *Package {
	return &Package{
		Methods: slices.DeleteFunc(p.Methods, func(m *Method) bool { return m.set().Kind != kind }),
		Types:   slices.DeleteFunc(p.Types, func(t *Type) bool { return t.set().Kind != kind }),
		Wraps:   slices.DeleteFunc(p.Wraps, func(w *Wrap) bool { return w.file.Set.Kind != kind }),
	}
}

// oneSet reports types of which the directives stand in files that are not
// built together always, and rules that take something from a default which is
// not always there: nothing that was generated could be right everywhere. Of
// such types only the first file's directives stay.
func (a *assembly) oneSet(p *Package) {
	first := map[string]place{}
	for _, at := range places(p) {
		switch other, ok := first[at.of]; {
		case at.of == "":
		case !ok:
			first[at.of] = at
		case at.set != other.set:
			a.at(at.pos, "%s has directives at %s too, and that file is %s; a wrapper needs all of them in files that are built together",
				at.of, a.place(other.pos), differently(other.set, at.set))
		}
	}
	p.Methods = slices.DeleteFunc(p.Methods, func(m *Method) bool { return m.Type != "" && m.set() != first[m.Type].set })
	p.Types = slices.DeleteFunc(p.Types, func(t *Type) bool { return t.set() != first[t.Spec.Name.Name].set })
	p.Wraps = slices.DeleteFunc(p.Wraps, func(w *Wrap) bool { return w.file.Set != first[w.Type.Name.Name].set })
	for _, m := range p.Methods {
		for _, rule := range m.Rules {
			a.always(rule)
		}
	}
}

// otherBuilds reports methods that rules on a type reach in other builds alone:
// the wrapper, which all of them share, cannot have these.
func (a *assembly) otherBuilds(pkg *load.Package) {
	if !slices.ContainsFunc(pkg.Files, func(f *load.File) bool { return f.State == load.Excluded }) {
		return
	}
	here := map[[2]string]bool{}
	for _, m := range a.inState(pkg, load.Built) {
		here[[2]string{m.Type, m.Name.Name}] = true
	}
	for f, m := range a.inState(pkg, load.Excluded) {
		of := lookup(a.types, m.Type)
		reached := len(of.rules) > 0 && m.Name.IsExported() && of.rules[0].set().Meets(f.Set)
		if reached && !here[[2]string{m.Type, m.Name.Name}] {
			a.at(m.Name.Pos(), "a rule on %s reaches %s, which builds without %s do not have; declare it for those, too",
				m.Type, m.Name.Name, filepath.Base(f.Path))
		}
	}
}

// inState are the methods and functions in those files of a package's own kind
// that take part in it in one way.
func (a *assembly) inState(pkg *load.Package, state load.State) iter.Seq2[*load.File, *Method] {
	return func(yield func(*load.File, *Method) bool) {
		for _, f := range pkg.Files {
			if f.State != state || f.Set.Kind != pkg.Kind || f.Syntax.Name.Name != pkg.Name {
				continue
			}
			for m := range a.callables(f) {
				if !yield(f, m) {
					return
				}
			}
		}
	}
}

// always reports a rule that takes an item from where it is not always.
func (a *assembly) always(rule Rule) {
	for _, item := range rule.Items {
		if from := rule.lines[item.Line]; !rule.set().Covers(from.file.Set) {
			a.at(rule.Start(), "the rule takes %s from the default at %s, but that file is %s; write it here",
				item.Name, a.place(from.start), differently(from.file.Set, rule.set()))
			return
		}
	}
}

// differently tells in what a set differs from another.
func differently(set, from genfile.Set) string {
	switch {
	case set.Kind == from.Kind && set.Constraint == "":
		return "for all builds"
	case set.Kind == from.Kind:
		return "for " + string(set.Constraint)
	case set.Kind == genfile.Base:
		return "no test"
	}
	return "a test"
}

// place is a directive of a type, or of a function.
type place struct {
	of  string // empty for a function
	pos token.Pos
	set genfile.Set
}

// places are the directives of types and functions, those in files that more builds have
// before others.
func places(p *Package) []place {
	var all []place
	for _, m := range p.Methods {
		for _, rule := range m.Rules {
			all = append(all, place{m.Type, rule.Start(), rule.set()})
		}
	}
	for _, t := range p.Types {
		all = append(all, place{t.Spec.Name.Name, t.Rules[0].Start(), t.set()})
	}
	for _, w := range p.Wraps {
		all = append(all, place{w.Type.Name.Name, w.Start, w.file.Set})
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(
			cmp.Compare(a.set.Kind, b.set.Kind),
			cmp.Compare(len(a.set.Constraint), len(b.set.Constraint)),
			cmp.Compare(a.pos, b.pos),
		)
	})
	return all
}
