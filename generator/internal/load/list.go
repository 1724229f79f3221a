package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// List finds the packages of the patterns and parses the files of those in
// which at least one file passes mentions, a quick look at a file's text.
// Patterns that name nothing are problems; the error is for a go command that
// gave no answer at all.
func List(ctx context.Context, c Config, mentions func(src []byte) bool) (*Program, []diag.Problem, error) {
	c.Patterns = folders(c.Patterns)
	p := newProgram(c)
	listed, err := p.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	var problems []diag.Problem
	for _, l := range listed {
		if found := p.unlisted(l); found != nil {
			problems = append(problems, found...)
			continue
		}
		if l.Module != nil && !local(l) {
			problems = append(problems, p.foreign(l)...)
			continue
		}
		pkgs, err := p.read(l, stateIn(l), mentions)
		if failure, ok := errors.AsType[*genfile.Failure](err); ok {
			problems = append(problems, failure.Problem())
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if pkgs[0].Files != nil {
			problems = append(problems, unreadable(l)...)
		}
		p.Packages = append(p.Packages, pkgs...)
		p.tests = p.tests || len(pkgs) > 1
	}
	if len(listed) == 0 {
		problems = append(problems, diag.Problem{Text: "no packages match " + strings.Join(c.Patterns, " ") + c.withoutDot(c.Patterns...)})
	}
	slices.SortStableFunc(p.Packages, func(a, b *Package) int { return strings.Compare(a.listed, b.listed) })
	return p, problems, nil
}

// foreign is what there is to say of a package of another module: nothing is
// generated there, and nobody asks for it who says all.
func (p *Program) foreign(l *packages.Package) []diag.Problem {
	if !slices.Contains(p.config.Patterns, l.PkgPath) {
		return nil
	}
	return []diag.Problem{{Text: fmt.Sprintf("package %s belongs to the module %s: generate it there", l.PkgPath, l.Module.Path)}}
}

// list asks the go command for the packages, a second time where a broken file
// of ours may have spoilt the first answer.
func (p *Program) list(ctx context.Context) ([]*packages.Package, error) {
	config := p.config.packages()
	config.Context, config.Mode, config.Overlay = ctx, listMode, p.overlay
	listed, err := packages.Load(config, p.config.Patterns...)
	if err != nil {
		return nil, goError(err)
	}
	if len(p.overlay) > 0 {
		return listed, nil
	}
	for _, l := range listed {
		p.cover(l)
	}
	if len(p.overlay) > 0 {
		return p.list(ctx)
	}
	return listed, nil
}

// cover hides a generated file that the go command would stumble over. Whoever
// reads the folder tells what cannot be read.
func (p *Program) cover(l *packages.Package) {
	if !hasOutput(l.Dir) {
		return
	}
	sources, _ := readDir(l.Dir, stateIn(l))
	name := packageName(sources)
	for _, s := range sources {
		if s.hidden && name != "" && packageClause(s.text) != genfile.Package(s.path, name) {
			p.overlay[s.path] = genfile.Empty(s.path, s.text, name)
		}
	}
}

// hasOutput reports whether a folder has files that are named like ours. Few
// have, and all files are read once more where one does.
func hasOutput(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return genfile.Named(e.Name()) })
}

// unlisted returns why the go command could not make a package of a pattern,
// or nil for a package that has files.
func (p *Program) unlisted(l *packages.Package) []diag.Problem {
	if len(l.Errors) == 0 || l.Dir != "" && len(l.GoFiles)+len(l.IgnoredFiles) > 0 {
		return nil
	}
	hint := ""
	if slices.Contains(p.config.Patterns, l.PkgPath) {
		p.Unmatched = append(p.Unmatched, l.PkgPath)
		hint = p.config.withoutDot(l.PkgPath)
	}
	var problems []diag.Problem
	for _, err := range l.Errors {
		problems = append(problems, notListed(err, hint))
	}
	return problems
}

// unreadable are the files of a package that the go command leaves out because
// it cannot tell what builds they are for.
func unreadable(l *packages.Package) []diag.Problem {
	var problems []diag.Problem
	for _, err := range l.Errors {
		if file, why, found := strings.Cut(err.Msg, ": "); found && strings.HasPrefix(why, "parsing //go:build line") {
			pos := token.Position{Filename: filepath.Join(l.Dir, filepath.Base(file)), Line: 1, Column: 1}
			problems = append(problems, diag.Problem{Pos: pos, Text: oneLine(why)})
		}
	}
	return problems
}

// read makes the packages of a folder of what the go command listed, the
// package itself first. The error is a *genfile.Failure.
func (p *Program) read(l *packages.Package, state func(path string) State, mentions func([]byte) bool) ([]*Package, error) {
	sources, err := readDir(l.Dir, state)
	if err != nil {
		return nil, err
	}
	base := &Package{Path: l.PkgPath, Name: cmp.Or(l.Name, packageName(sources)), Dir: l.Dir, listed: l.PkgPath}
	var wanted [genfile.External + 1]bool
	for _, s := range sources {
		if genfile.Named(s.path) {
			base.Outputs = append(base.Outputs, Output{Path: s.path, Ours: s.hidden, Built: s.state != Excluded})
		}
		if !s.hidden && mentions(s.text) {
			wanted[s.kind()] = true
		}
	}
	if !slices.Contains(wanted[:], true) {
		base.unparsed = sources
		return []*Package{base}, nil
	}
	base.fill(p.parse(sources))
	base.Tests = wanted[genfile.Test]
	all := []*Package{base}
	for _, kind := range []genfile.Kind{genfile.Test, genfile.External} {
		if wanted[kind] {
			all = append(all, base.tests(kind))
		}
	}
	return all, nil
}

// tests is the package of a folder that has its test files of a kind.
func (pkg *Package) tests(kind genfile.Kind) *Package {
	tests := &Package{Path: pkg.Path, Name: pkg.Name, Dir: pkg.Dir, Kind: kind, listed: pkg.listed}
	if kind == genfile.External {
		tests.Path, tests.Name = pkg.Path+externalSuffix, pkg.Name+externalSuffix
	}
	var files []*File
	for _, f := range pkg.Files {
		switch own := f.Set.Kind == kind; {
		case own && f.State == Test:
			built := *f
			built.State = Built
			files = append(files, &built)
		case own || kind == genfile.Test && f.Set.Kind == genfile.Base:
			files = append(files, f)
		}
	}
	tests.fill(files)
	return tests
}

// fill gives a package its files.
func (pkg *Package) fill(files []*File) {
	pkg.Files = files
	pkg.Declared, pkg.Imported = map[string]token.Pos{}, map[string]bool{}
	for _, f := range files {
		if f.Syntax.Name.Name == pkg.Name {
			pkg.declare(f.Syntax)
		}
	}
}
