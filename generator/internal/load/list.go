package load

import (
	"cmp"
	"context"
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
	p := &Program{
		Fset:    token.NewFileSet(),
		config:  c,
		overlay: map[string][]byte{},
		parsed:  map[string]*File{},
	}
	listed, err := p.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	var problems []diag.Problem
	for _, l := range listed {
		if found := unlisted(l); found != nil {
			problems = append(problems, found...)
			continue
		}
		pkg, err := p.read(l, mentions)
		if err != nil {
			return nil, nil, err
		}
		p.Packages = append(p.Packages, pkg)
	}
	if len(listed) == 0 {
		problems = append(problems, diag.Problem{Text: "no packages match " + strings.Join(c.Patterns, " ")})
	}
	slices.SortFunc(p.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return p, problems, nil
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
		if err := p.cover(l); err != nil {
			return nil, err
		}
	}
	if len(p.overlay) > 0 {
		return p.list(ctx)
	}
	return listed, nil
}

// cover hides a generated file that the go command would stumble over.
func (p *Program) cover(l *packages.Package) error {
	if !hasOutput(l.Dir) {
		return nil
	}
	sources, err := readDir(l)
	if err != nil {
		return err
	}
	name := packageName(sources)
	for _, s := range sources {
		if s.hidden && name != "" && packageClause(s.text) != name {
			p.overlay[s.path] = []byte("package " + name + "\n")
		}
	}
	return nil
}

// hasOutput reports whether a folder has files that are named like ours. Few
// have, and all files are read once more where one does.
func hasOutput(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return genfile.Named(e.Name()) })
}

// unlisted returns why the go command could not make a package of a pattern,
// or nil for a package that has files.
func unlisted(l *packages.Package) []diag.Problem {
	if len(l.Errors) == 0 || l.Dir != "" && len(l.GoFiles)+len(l.IgnoredFiles) > 0 {
		return nil
	}
	var problems []diag.Problem
	for _, err := range l.Errors {
		problems = append(problems, diag.Problem{Pos: position(err.Pos), Text: strings.TrimPrefix(oneLine(err.Msg), "stat ")})
	}
	return problems
}

// read makes a Package of what the go command listed.
func (p *Program) read(l *packages.Package, mentions func([]byte) bool) (*Package, error) {
	sources, err := readDir(l)
	if err != nil {
		return nil, err
	}
	pkg := &Package{Path: l.PkgPath, Name: l.Name, Dir: l.Dir}
	wanted := false
	for _, s := range sources {
		if filepath.Base(s.path) == genfile.Name {
			pkg.Output = &Output{Path: s.path, Ours: s.hidden}
		}
		wanted = wanted || !s.hidden && mentions(s.text)
	}
	if wanted {
		p.parse(pkg, sources)
	} else {
		pkg.unparsed = sources
	}
	return pkg, nil
}

// source is the text of a file of a package's folder.
type source struct {
	path   string
	text   []byte
	state  State
	hidden bool // it is one of ours
}

// readDir reads all Go files of a package's folder, in the order of their
// names, those that the build leaves out as well.
func readDir(l *packages.Package) ([]source, error) {
	if l.Dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(l.Dir)
	if err != nil {
		return nil, err
	}
	var sources []source
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			continue
		}
		s, err := readSource(l, filepath.Join(l.Dir, name))
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func readSource(l *packages.Package, path string) (source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	s := source{path: path, text: text, state: Excluded}
	s.hidden = genfile.Named(path) && genfile.Ours(text)
	switch {
	case strings.HasSuffix(path, "_test.go"):
		s.state = Test
	case slices.Contains(l.GoFiles, path):
		s.state = Built
	}
	return s, nil
}

// packageName is the name of the package that the sources make: of those that
// are built, if any is.
func packageName(sources []source) string {
	named := slices.DeleteFunc(slices.Clone(sources), func(s source) bool {
		return s.hidden || s.state == Test || packageClause(s.text) == ""
	})
	if len(named) == 0 {
		return ""
	}
	first := slices.MinFunc(named, func(a, b source) int { return cmp.Compare(a.state, b.state) })
	return packageClause(first.text)
}
