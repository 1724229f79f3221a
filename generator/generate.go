package generator

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/emit"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/resolve"
)

// Config says for which packages to generate.
type Config struct {
	// Dir is the directory in which the patterns are meant and to which the
	// positions of problems are relative; the current one if it is empty.
	Dir string

	// Patterns name packages as the go command has it; "." if there are none.
	Patterns []string

	// Env is the environment of the go command; the process's own if nil.
	Env []string

	// BuildFlags are further flags of the go command, such as -mod=vendor or
	// -tags=integration. With the environment they choose the build for which
	// to generate.
	BuildFlags []string
}

// Generate returns the generated files of the packages and all problems. It
// writes nothing. The error is for a run that could not even begin: the go
// command failed, or ctx ended.
func Generate(ctx context.Context, c Config) (*Result, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	if len(c.Patterns) == 0 {
		c.Patterns = []string{"."}
	}
	config := load.Config{Dir: dir, Patterns: c.Patterns, Env: c.Env, BuildFlags: c.BuildFlags}
	result, err := start(ctx, config)
	if failure, ok := errors.AsType[*genfile.Failure](err); ok {
		return &Result{Problems: []Problem{within(dir, failure.Problem())}, dir: dir}, nil
	}
	return result, err
}

func start(ctx context.Context, c load.Config) (*Result, error) {
	if err := c.Readable(); err != nil {
		return nil, err
	}
	result, err := ahead(ctx, c)
	if errors.Is(err, load.ErrOtherwise) {
		return listing(ctx, c)
	}
	return result, err
}

// ahead is a run that asks the go command once, where that is enough to know
// all that listing knows.
func ahead(ctx context.Context, c load.Config) (*Result, error) {
	program, err := load.Ahead(ctx, c, collect.Mentions)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	return generate(ctx, program, c.Dir)
}

// listing is a run that lists packages before it type-checks some of them.
func listing(ctx context.Context, c load.Config) (*Result, error) {
	program, problems, err := load.List(ctx, c, collect.Mentions)
	if err != nil {
		return nil, err
	}
	return generate(ctx, program, c.Dir, problems...)
}

func generate(ctx context.Context, program *load.Program, dir string, problems ...Problem) (*Result, error) {
	r := &run{program: program}
	r.problems.Add(problems...)
	r.collect()
	r.users()
	if err := r.resolve(ctx); err != nil {
		return nil, err
	}
	r.emit()
	return r.result(dir), nil
}

// run is one generation.
type run struct {
	program  *load.Program
	folders  []*folder
	units    []*unit
	imported []*unit // what they import, where that was asked for: nothing is generated for these
	problems diag.List
	rules    []*resolve.NamedRule
	files    []File
}

// unit is one package on its way from directives to code.
type unit struct {
	*load.Package
	*folder
	asked  *collect.Package
	parts  []*collect.Package // of asked, a generated file each
	user   bool               // it has no directives, but may call what has
	models []*model.Package
}

func (r *run) collect() {
	for _, pkg := range r.program.Packages {
		if pkg.Kind == genfile.Base {
			r.folders = append(r.folders, newFolder(pkg))
		}
		u := &unit{Package: pkg, folder: r.folders[len(r.folders)-1]}
		asked, problems := collect.Read(r.program.Fset, pkg)
		u.asked, u.parts = asked, asked.Sets()
		u.problems.Merge(problems)
		for _, part := range u.parts {
			u.place(part.Set)
		}
		r.units = append(r.units, u)
	}
}

func (r *run) resolve(ctx context.Context) error {
	if err := r.check(ctx); err != nil {
		return err
	}
	for _, u := range r.units {
		for _, part := range u.parts {
			if err := r.make(u, part); err != nil {
				return err
			}
		}
	}
	for _, f := range r.folders {
		f.apart()
	}
	resolve.CheckNames(r.rules)
	r.around()
	return nil
}

// make generates the file for a part of what a package asks for.
func (r *run) make(u *unit, part *collect.Package) error {
	others, err := u.along(part.Set)
	if err != nil {
		return err
	}
	m, rules := resolve.Package(r.program.Fset, u.Package, part, &u.problems, others...)
	r.rules = append(r.rules, rules...)
	if m == nil {
		return nil
	}
	content, err := emit.Package(m)
	if err != nil {
		return err
	}
	u.models = append(u.models, m)
	u.made = append(u.made, &made{
		set:     part.Set,
		path:    filepath.Join(u.Dir, part.Set.Name()),
		content: append([]byte(part.Set.Head()), content...),
		start:   r.program.Fset.PositionFor(part.Start(), false),
	})
	u.vendored(r.program, u.Package)
	return nil
}

// users finds the packages without directives that may call limited methods.
// What has them in its tests alone is checked with these anyway.
func (r *run) users() {
	for _, u := range r.units {
		u.user = u.Tests && u.asked.Empty()
	}
	for _, of := range r.units {
		var names []string
		for _, m := range of.asked.Methods {
			names = append(names, m.Name.Name)
		}
		for _, u := range r.units {
			if len(names) > 0 && len(u.Files) == 0 && r.program.Parse(u.Package, of.Path, names) {
				u.user = true
			}
		}
	}
}

// around notes calls that go around the limits, also in packages without
// directives. Tests may have good reasons for them.
func (r *run) around() {
	limited := resolve.Limited{}
	for _, u := range r.units {
		for _, m := range u.models {
			limited.Add(m)
		}
	}
	for _, u := range r.units {
		if u.Kind != genfile.Base {
			continue
		}
		u.problems.Add(limited.Around(r.program.Fset, u.Package)...)
	}
}

// emit takes the files of all folders without problems.
func (r *run) emit() {
	for _, f := range r.folders {
		r.problems.Merge(&f.problems)
		if !f.problems.HasErrors() {
			r.files = append(r.files, f.files()...)
		}
	}
}

// result makes all paths relative to dir.
func (r *run) result(dir string) *Result {
	var list diag.List
	for _, p := range r.problems.Problems() {
		list.Add(within(dir, p))
	}
	return &Result{
		Files: r.files, Problems: list.Problems(), Rules: listed(r.rules, dir),
		Unmatched: r.program.Unmatched, Idle: r.idle(), dir: dir,
	}
}

// idle are the packages of a run in which there is nothing to do.
func (r *run) idle() []string {
	if len(r.files) > 0 || len(r.problems.Problems()) > 0 {
		return nil
	}
	var paths []string
	for _, u := range r.units {
		switch {
		case !u.asked.Empty():
			return nil
		case u.Kind == genfile.Base:
			paths = append(paths, u.Path)
		}
	}
	return paths
}

// within is a problem with its paths relative to dir.
func within(dir string, p Problem) Problem {
	p.Pos.Filename = relative(dir, p.Pos.Filename)
	p.Text = strings.ReplaceAll(p.Text, dir+string(filepath.Separator), "")
	return p
}

// relative shortens a path if it can.
func relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || !filepath.IsAbs(path) || len(rel) > len(path) {
		return path
	}
	return rel
}
