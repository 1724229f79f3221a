package load

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/tools/go/packages"
)

// IllTyped reports whether a package that was checked, or one that it imports,
// has errors.
func (pkg *Package) IllTyped() bool { return pkg.checked != nil && pkg.checked.IllTyped }

// Import adds to Imported what the packages that were checked import of their
// own modules, near or far, and what passes mentions.
func (p *Program) Import(ctx context.Context, mentions func(src []byte) bool) error {
	var paths []string
	known := map[string]bool{}
	for _, pkg := range p.Packages {
		known[pkg.Path], known[pkg.listed+".test"] = true, true
		if pkg.checked != nil {
			paths = append(paths, pkg.listed)
		}
	}
	config := p.config.packages()
	config.Context, config.Mode, config.Overlay, config.Tests = ctx, importMode, p.overlay, p.tests
	roots, err := packages.Load(config, paths...)
	if err != nil {
		return goError(err)
	}
	var found []*packages.Package
	packages.Visit(roots, nil, func(l *packages.Package) {
		if !known[l.PkgPath] && local(l) && l.PkgPath != l.ForTest+externalSuffix {
			known[l.PkgPath] = true
			found = append(found, l)
		}
	})
	slices.SortFunc(found, func(a, b *packages.Package) int { return cmp.Compare(a.PkgPath, b.PkgPath) })
	for _, l := range found {
		pkgs, err := p.read(l, stateIn(l), mentions)
		if err != nil {
			return err
		}
		if pkgs[0].Files != nil {
			p.Imported = append(p.Imported, pkgs[0])
		}
	}
	return nil
}

// local reports whether a package's source is the user's to generate for.
func local(l *packages.Package) bool {
	m := l.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}
