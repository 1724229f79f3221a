package resolve

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
)

// Package makes the model of a type-checked package of what the directives of
// one set of its files ask for. The others are the generated files that are
// built along. The model is nil if the package has errors. The rules are for
// CheckNames.
func Package(fset *token.FileSet, pkg *load.Package, asked *collect.Package, problems *diag.List, others ...genfile.Names) (*model.Package, []*NamedRule) {
	r := &resolver{
		fset: fset, pkg: pkg, set: asked.Set, others: others, problems: problems, scope: naming.NewScope(nil),
		scopes: map[*load.File]*keyexpr.Scope{}, used: map[useKey]used{},
	}
	r.constrained = slices.ContainsFunc(pkg.Files, func(f *load.File) bool { return !r.set.Covers(f.Set) })
	if !r.usable() {
		return nil, nil
	}
	r.readImports(asked)
	r.readDecls()
	r.takeNames()
	targets := r.targets(asked)
	for _, t := range targets {
		r.resolve(t)
	}
	for _, t := range targets {
		r.bypasses(t, targets)
	}
	r.unusedImports()
	if problems.HasErrors() {
		return nil, r.rules
	}
	return r.name(targets), r.rules
}

type resolver struct {
	fset   *token.FileSet
	pkg    *load.Package
	set    genfile.Set // of what is generated
	others []genfile.Names

	constrained bool // some builds of the set lack files of the package

	problems *diag.List
	scope    *naming.Scope // of the package and of all its files
	imports  naming.Imports
	packages map[string]*types.Package // by path, as far as the package's imports reach
	aliases  map[string]string         // the names that the package's files give to imports, by path
	decls    map[*types.Func]declaration
	rules    []*NamedRule

	typeParams []string // of all wrappers
	scopes     map[*load.File]*keyexpr.Scope
	used       map[useKey]used
}

// usable reports whether the package's syntax can be relied on.
func (r *resolver) usable() bool {
	r.problems.Add(r.pkg.Problems...)
	return r.pkg.Types != nil && len(r.pkg.Problems) == 0 && !r.broken()
}

// broken reports files that do not parse.
func (r *resolver) broken() bool {
	found := false
	for _, f := range r.pkg.Files {
		if f.State == load.Built && len(f.Errors) > 0 {
			found = true
			r.problems.Add(f.Errors...)
		}
	}
	return found
}

// noPackage is what the loader says of a package that it did not find at all.
const noPackage = ` (invalid package name: "")`

// typeErrors reports the type errors within a stretch of the source, and
// whether there were any.
func (r *resolver) typeErrors(from, to token.Pos) bool {
	found := false
	for _, err := range r.pkg.TypeErrors {
		if from <= err.Pos && err.Pos < to {
			found = true
			r.at(err.Pos, "%s", strings.TrimSuffix(err.Msg, noPackage))
		}
	}
	return found
}

// place is where something stands, as messages have it.
func (r *resolver) place(pos token.Pos) string {
	p := r.fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func (r *resolver) at(pos token.Pos, format string, args ...any) {
	r.problems.Addf(r.fset.PositionFor(pos, false), format, args...)
}
