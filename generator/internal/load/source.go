package load

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
)

// source is the text of a file of a package's folder.
type source struct {
	path   string
	text   []byte
	state  State
	hidden bool // it is one of ours
}

// readDir reads all Go files of a package's folder, in the order of their
// names, those that the build leaves out as well; state tells which these are.
// The error is a *genfile.Failure.
func readDir(dir string, state func(path string) State) ([]source, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, genfile.Unread(dir, err)
	}
	var sources []source
	for _, entry := range entries {
		if !isSource(entry) {
			continue
		}
		s, err := readSource(filepath.Join(dir, entry.Name()), entry.Type(), state)
		if err != nil {
			return nil, err
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func isSource(entry fs.DirEntry) bool {
	name := entry.Name()
	return !entry.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

func readSource(path string, mode fs.FileMode, state func(path string) State) (source, error) {
	read := genfile.ReadFile
	if mode.IsRegular() {
		read = genfile.ReadRegular
	}
	text, err := read(path)
	if err != nil {
		return source{}, err
	}
	return source{path: path, text: text, state: state(path), hidden: genfile.Named(path) && genfile.Ours(text)}, nil
}

// Readable returns an error for what the go command would not come back from:
// something that is no regular file, in a folder that a pattern names.
func (c Config) Readable() error {
	for _, pattern := range folders(c.Patterns) {
		dir, ok := c.folder(pattern)
		if !ok {
			continue
		}
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			if isSource(entry) && !entry.Type().IsRegular() {
				if err := genfile.Regular(filepath.Join(dir, entry.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stateIn tells of the files of a package that the go command listed how they
// take part in it.
func stateIn(l *packages.Package) func(path string) State {
	return func(path string) State {
		switch {
		case isTest(path) && !slices.Contains(l.IgnoredFiles, path):
			return Test
		case slices.Contains(l.GoFiles, path):
			return Built
		}
		return Excluded
	}
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }

// externalSuffix is what the name of an external test package ends with, and
// its path.
const externalSuffix = "_test"

// kindOf is the kind of the package of a file with a package clause.
func kindOf(path, clause string) genfile.Kind {
	switch {
	case !isTest(path):
		return genfile.Base
	case strings.HasSuffix(clause, externalSuffix):
		return genfile.External
	}
	return genfile.Test
}

// kind is the kind of the package to which what a source says is of interest:
// of one that the build leaves out only that it does.
func (s source) kind() genfile.Kind {
	if s.state != Test {
		return genfile.Base
	}
	return kindOf(s.path, packageClause(s.text))
}

// packageName is the name of the package that the sources make, without what
// makes one an external test.
func packageName(sources []source) string {
	named := slices.DeleteFunc(slices.Clone(sources), func(s source) bool {
		return s.hidden || packageClause(s.text) == ""
	})
	if len(named) == 0 {
		return ""
	}
	first := slices.MinFunc(named, func(a, b source) int { return cmp.Compare(a.rank(), b.rank()) })
	name := packageClause(first.text)
	if kindOf(first.path, name) == genfile.External {
		return strings.TrimSuffix(name, externalSuffix)
	}
	return name
}

// rank tells of which sources the name of a package is known best.
func (s source) rank() int {
	switch {
	case s.state == Built:
		return 0
	case s.state == Test:
		return 2
	}
	return 1
}
