package load

import (
	"context"
	"errors"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// ErrOtherwise says that a run must list its packages to know what they are.
var ErrOtherwise = errors.New("the text of the packages does not tell what they are")

// Ahead is List for a run about one folder whose text tells what the go command
// would say of it: its files are for every build, parse and import no C, and
// only those of the package itself mention directives. The go command is called
// once, for Check, and works while the directives are read.
//
// Of any other folder the error is ErrOtherwise, here or, where the go command
// has something else to say after all, in Check. The program must be closed.
func Ahead(ctx context.Context, c Config, mentions func(src []byte) bool) (*Program, error) {
	if c.Patterns = folders(c.Patterns); len(c.Patterns) != 1 {
		return nil, ErrOtherwise
	}
	dir, ok := c.folder(c.Patterns[0])
	if !ok {
		return nil, ErrOtherwise
	}
	p := newProgram(c)
	p.ahead = p.start(ctx)
	if !p.guess(dir, mentions) {
		p.Close()
		return nil, ErrOtherwise
	}
	return p, nil
}

// folder is the folder that a pattern names, if it does so literally.
func (c Config) folder(pattern string) (dir string, ok bool) {
	first, _, _ := strings.Cut(filepath.ToSlash(pattern), "/")
	switch {
	case strings.Contains(pattern, "..."):
		return "", false
	case filepath.IsAbs(pattern):
		return filepath.Clean(pattern), true
	}
	return filepath.Join(c.Dir, pattern), first == "." || first == ".."
}

// guess makes the package of a folder of its text, and reports whether that can
// tell all about it.
func (p *Program) guess(dir string, mentions func([]byte) bool) bool {
	pkgs, err := p.read(&packages.Package{Dir: dir}, stateOfName, mentions)
	if err != nil || len(pkgs) != 1 || pkgs[0].Files == nil {
		return false
	}
	p.Packages = pkgs
	return !slices.ContainsFunc(pkgs[0].Files, func(f *File) bool { return f.Set.Constraint != "" || len(f.Errors) > 0 })
}

func stateOfName(path string) State {
	if isTest(path) {
		return Test
	}
	return Built
}

// told reports whether what the go command says of a package is what its text
// told.
func (pkg *Package) told(l *packages.Package) bool {
	if l.Dir != pkg.Dir || l.Name != pkg.Name || !local(l) || len(l.Errors) > 0 || l.IllTyped {
		return false
	}
	state := stateIn(l)
	return !slices.ContainsFunc(pkg.Files, func(f *File) bool { return f.State != state(f.Path) }) &&
		!slices.ContainsFunc(pkg.Outputs, func(o Output) bool { return o.Built != (state(o.Path) != Excluded) })
}

// ahead is a type check that goes on while its stubs are made.
type ahead struct {
	cancel context.CancelFunc
	ready  chan struct{} // closed when there are stubs
	done   chan struct{} // closed when there is an answer
	found  []*packages.Package
	err    error
}

func (p *Program) start(ctx context.Context) *ahead {
	ctx, cancel := context.WithCancel(ctx)
	a := &ahead{cancel: cancel, ready: make(chan struct{}), done: make(chan struct{})}
	config := p.checking(ctx)
	config.ParseFile = func(fset *token.FileSet, path string, src []byte) (*ast.File, error) {
		select {
		case <-a.ready:
			return p.parseFile(fset, path, src)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	go func() {
		defer close(a.done)
		a.found, a.err = packages.Load(config, p.config.Patterns...)
	}()
	return a
}

// Close ends what Ahead has begun.
func (p *Program) Close() {
	p.ahead.cancel()
	<-p.ahead.done
}

// await returns the answer of the go command if it is what the text told.
func (p *Program) await() ([]*packages.Package, error) {
	close(p.ahead.ready)
	<-p.ahead.done
	if p.ahead.err != nil || len(p.ahead.found) != 1 || !p.Packages[0].told(p.ahead.found[0]) {
		return nil, ErrOtherwise
	}
	path := p.ahead.found[0].PkgPath
	p.Packages[0].Path, p.Packages[0].listed = path, path
	return p.ahead.found, nil
}
