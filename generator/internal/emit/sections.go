package emit

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/genfile"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/parallel"
)

// section writes some declarations of a file, of which it needs nothing else.
type section func(*jen.File)

// methodsInSection is how many methods one section has.
const methodsInSection = 32

// sections are the declarations of a file, in their order.
func sections(p *model.Package) []section {
	var all []section
	for _, w := range p.Wrappers {
		add := func(write func(*emitter)) {
			all = append(all, func(f *jen.File) { write(&emitter{pkg: p, wrapper: w, file: f}) })
		}
		if w.Func {
			add((*emitter).wrapFunc)
			continue
		}
		add((*emitter).wrap)
		for methods := range slices.Chunk(w.Methods, methodsInSection) {
			add(func(e *emitter) { e.methods(methods) })
		}
	}
	return append(all, func(f *jen.File) { claim(f, p) })
}

// render writes the file of p, not formatted yet, divided between
// declarations.
func render(p *model.Package) ([]string, error) {
	type text struct {
		imports []string
		body    string
		err     error
	}
	all := parallel.Map(sections(p), func(write section) (t text) {
		t.imports, t.body, t.err = renderSection(p, write)
		return t
	})
	var imports []string
	bodies := []string{""}
	for _, t := range all {
		if t.err != nil {
			return nil, t.err
		}
		imports = append(imports, t.imports...)
		bodies = append(bodies, t.body)
	}
	bodies[0] = head(p, imports)
	return bodies, nil
}

// renderSection returns the lines of the imports of a section, and its
// declarations.
func renderSection(p *model.Package, write section) (imports []string, body string, err error) {
	f := jen.NewFilePathName(p.Path, p.Name)
	f.NoFormat = true
	for _, i := range p.Imports {
		if i.Bare {
			f.ImportName(i.Path, i.Name)
		} else {
			f.ImportAlias(i.Path, i.Name)
		}
	}
	write(f)
	var out strings.Builder
	if err := f.Render(&out); err != nil {
		return nil, "", err
	}
	_, text, _ := strings.Cut(out.String(), "\n\n") // behind the package clause
	if block, ok := strings.CutPrefix(text, "import (\n"); ok {
		block, body, _ := strings.Cut(block, "\n)\n\n")
		return strings.Split(block, "\n"), body, nil
	}
	if one, ok := strings.CutPrefix(text, "import "); ok {
		line, body, _ := strings.Cut(one, "\n\n")
		return []string{line}, body, nil
	}
	return nil, text, nil
}

// head is what stands before the declarations.
func head(p *model.Package, imports []string) string {
	slices.Sort(imports)
	text := genfile.Header + "\n\npackage " + p.Name + "\n\n"
	switch lines := slices.Compact(imports); len(lines) {
	case 0:
		return text
	case 1:
		return text + "import " + lines[0] + "\n"
	default:
		return text + "import (\n" + strings.Join(lines, "\n") + "\n)\n"
	}
}
