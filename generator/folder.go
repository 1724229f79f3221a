package generator

import (
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/write"
)

// folder has the generated files of the packages of one folder: the package
// itself and those with tests, and in each what builds have in common.
type folder struct {
	outputs  []load.Output   // that are there already
	meant    map[string]bool // the names of those that files of the folder may ask for, in whatever build
	made     []*made
	problems diag.List
}

// made is a generated file.
type made struct {
	set     genfile.Set
	path    string
	content []byte
	start   token.Position // of the first directive
	names   *genfile.Names // once they are asked for
}

// place reports a file of another hand in the place of one to generate.
func (f *folder) place(set genfile.Set) {
	for _, o := range f.outputs {
		if filepath.Base(o.Path) == set.Name() && !o.Ours {
			f.problems.Addf(token.Position{Filename: o.Path, Line: 1, Column: 1}, "%v", &write.NotOursError{Path: o.Path})
		}
	}
}

// along are the names of the files that are built wherever one of the set is.
func (f *folder) along(set genfile.Set) ([]genfile.Names, error) {
	var all []genfile.Names
	for _, m := range f.made {
		names, err := m.namesOf()
		if err != nil {
			return nil, err
		}
		if set.Covers(m.set) {
			all = append(all, *names)
		}
	}
	return all, nil
}

func (m *made) namesOf() (*genfile.Names, error) {
	if m.names == nil {
		names, err := genfile.NamesOf(m.content)
		if err != nil {
			return nil, err
		}
		m.names = &names
	}
	return m.names, nil
}

// apart reports names that two files have of which either can be built without
// the other: none may depend on the other being there.
func (f *folder) apart() {
	for i, m := range f.made {
		for _, other := range f.made[:i] {
			if !m.set.Covers(other.set) && !other.set.Covers(m.set) && m.set.Meets(other.set) {
				f.clash(m, other)
			}
		}
	}
}

func (f *folder) clash(m, other *made) {
	names, err := m.namesOf()
	if err != nil {
		return
	}
	others, err := other.namesOf()
	if err != nil {
		return
	}
	for _, name := range names.Declared {
		if slices.Contains(others.Declared, name) || slices.Contains(others.Imported, name) {
			f.problems.Addf(m.start, "%s would be declared in %s and in %s, which can be built together; rename what it is made for, or give both files one constraint",
				name, filepath.Base(m.path), filepath.Base(other.path))
			return
		}
	}
}

// newFolder is the folder of a package, which must be of the Base kind.
func newFolder(pkg *load.Package) *folder {
	f := &folder{outputs: pkg.Outputs, meant: map[string]bool{}}
	for _, file := range pkg.Files {
		for _, kind := range []genfile.Kind{genfile.Base, genfile.Test, genfile.External} {
			f.meant[genfile.Set{Kind: kind, Constraint: file.Set.Constraint}.Name()] = true
		}
	}
	return f
}

// files are what the generated files shall be. One of ours that nothing is made
// for shall not be, where this build takes it, or no file of the folder is for
// the builds that do.
func (f *folder) files() []File {
	var files []File
	wanted := map[string]bool{}
	for _, m := range f.made {
		wanted[filepath.Base(m.path)] = true
		files = append(files, File{Path: m.path, Content: m.content})
	}
	for _, o := range f.outputs {
		name := filepath.Base(o.Path)
		if o.Ours && !wanted[name] && (o.Built || !f.meant[name]) {
			files = append(files, File{Path: o.Path})
		}
	}
	return files
}

// vendored notes that the vendor folder lacks what the last generated file
// imports of ours.
func (f *folder) vendored(program *load.Program, pkg *load.Package) {
	modules, vendored := program.Vendor(pkg)
	if !vendored {
		return
	}
	names, err := f.made[len(f.made)-1].namesOf()
	if err != nil {
		return
	}
	for _, path := range names.Paths {
		if strings.HasPrefix(path+"/", model.Runtime+"/") && !load.InVendor(modules, path) {
			f.problems.Notef(token.Position{Filename: modules}, "generated code imports %s, which is not vendored; run go mod vendor", path)
		}
	}
}
