package collect

import (
	"cmp"
	"go/ast"
	"go/token"
	"iter"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
)

// assemble gives each method the rules of its type, and each rule its
// defaults.
func (c *collector) assemble(pkg *load.Package) *Package {
	a := &assembly{collector: c, reached: map[*asked]bool{}, used: map[*Rule]bool{}}
	p := &Package{Wraps: c.wraps}
	for _, f := range pkg.Files {
		if f.State != load.Built {
			continue
		}
		for m := range a.callables(f) {
			if a.method(m); len(m.Rules) > 0 {
				p.Methods = append(p.Methods, m)
			}
		}
	}
	p.Types = a.typesWithMore()
	a.unreached()
	if !c.problems.HasErrors() && !pkg.Tests && !c.partial {
		a.unused()
	}
	a.oneSet(p)
	a.otherBuilds(pkg)
	return p.only(pkg.Kind)
}

type assembly struct {
	*collector
	reached map[*asked]bool // the types whose rules apply to a method
	used    map[*Rule]bool  // the defaults of rules
}

// callables are the methods and functions that a file declares, those of
// interfaces as well.
func (a *assembly) callables(f *load.File) iter.Seq[*Method] {
	return func(yield func(*Method) bool) {
		for _, decl := range f.Syntax.Decls {
			for _, m := range a.callablesOf(decl) {
				if !yield(m) {
					return
				}
			}
		}
	}
}

func (a *assembly) callablesOf(decl ast.Decl) []*Method {
	var all []*Method
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		all = append(all, &Method{Callable{decl.Name, decl.Type, decl.Pos()}, a.typeOf(decl), nil})
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				for field := range interfaceFields(spec) {
					if sig, ok := field.Type.(*ast.FuncType); ok {
						all = append(all, &Method{Callable{field.Names[0], sig, field.Pos()}, spec.Name.Name, nil})
					}
				}
			}
		}
	}
	return all
}

// method gives a method its rules.
func (a *assembly) method(m *Method) {
	own, of := lookup(a.methods, m.Name), lookup(a.types, m.Type)
	defaults := a.defaults(of)
	ofType := len(of.rules) > 0 && m.Name.IsExported()
	if own.skip != nil {
		if !own.skip.Broken && !ofType && (len(own.rules) == 0 || defaults == nil) {
			a.at(own.skip.start, "%s has no rule of its type and no default that could be skipped", m.Name.Name)
		}
		ofType, defaults = false, nil
	}
	if ofType {
		a.reached[of] = true
		for _, rule := range of.rules {
			rule.OfType = true
			m.Rules = append(m.Rules, a.complete(rule, defaults))
		}
	}
	for _, rule := range own.rules {
		m.Rules = append(m.Rules, a.complete(rule, defaults))
	}
	if len(m.Rules) > 0 && defaults != nil {
		a.use(of.defaults, a.pkg.defaults)
	}
}

// typesWithMore are the types with rules that have methods elsewhere, as far
// as the syntax tells.
func (a *assembly) typesWithMore() []*Type {
	var all []*Type
	for _, of := range a.types {
		if len(of.rules) == 0 || !hasMore(of.spec) {
			continue
		}
		t := &Type{Spec: of.spec, Bare: !a.reached[of]}
		a.reached[of] = true
		defaults := a.defaults(of)
		for _, rule := range of.rules {
			rule.OfType = true
			t.Rules = append(t.Rules, a.complete(rule, defaults))
		}
		if defaults != nil {
			a.use(of.defaults, a.pkg.defaults)
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b *Type) int { return cmp.Compare(a.Spec.Pos(), b.Spec.Pos()) })
	return all
}

// hasMore reports whether a type may have methods that stand elsewhere: it
// embeds interfaces, or it is defined by the name of another type.
func hasMore(spec *ast.TypeSpec) bool {
	switch ast.Unparen(spec.Type).(type) {
	case *ast.InterfaceType, *ast.SelectorExpr, *ast.Ident, *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// lookup returns what the directives on a declaration ask for.
func lookup[K comparable](all map[K]*asked, key K) *asked {
	if on := all[key]; on != nil {
		return on
	}
	return &asked{}
}

// defaults are those of a type over those of the package, nil if there are
// none.
func (a *assembly) defaults(of *asked) *Rule {
	switch {
	case of.defaults == nil:
		return a.pkg.defaults
	case a.pkg.defaults == nil:
		return of.defaults
	}
	both := of.defaults.inherit(*a.pkg.defaults)
	return &both
}

func (a *assembly) use(all ...*Rule) {
	for _, defaults := range all {
		a.used[defaults] = true
	}
}

// unreached reports rules on types that apply to no method.
func (a *assembly) unreached() {
	for name, t := range a.types {
		if len(t.rules) > 0 && !a.reached[t] {
			a.at(t.rules[0].Start(), "%s declares no exported method that the rule could limit", name)
		}
	}
}

// unused reports defaults that no rule can take anything from.
func (a *assembly) unused() {
	all := []*Rule{a.pkg.defaults}
	for _, t := range a.types {
		all = append(all, t.defaults)
	}
	for _, defaults := range all {
		if defaults != nil && !a.used[defaults] {
			a.at(defaults.Start(), "there is no rule that could take anything from this default")
		}
	}
}

// typeOf is the name of the type that declares a method, "" for a function.
func (c *collector) typeOf(decl *ast.FuncDecl) string {
	name := ReceiverType(decl)
	for range len(c.aliases) {
		if of, ok := c.aliases[name]; ok {
			name = of
		}
	}
	return name
}

// aliases are the other names that a package gives to its types.
func aliases(pkg *load.Package) map[string]string {
	all := map[string]string{}
	for _, f := range pkg.Files {
		if f.State != load.Built {
			continue
		}
		for _, decl := range f.Syntax.Decls {
			if types, ok := decl.(*ast.GenDecl); ok && types.Tok == token.TYPE {
				for _, spec := range types.Specs {
					addAlias(all, spec.(*ast.TypeSpec))
				}
			}
		}
	}
	return all
}

func addAlias(all map[string]string, spec *ast.TypeSpec) {
	if of, ok := star(spec.Type).(*ast.Ident); ok && spec.Assign.IsValid() {
		all[spec.Name.Name] = of.Name
	}
}
