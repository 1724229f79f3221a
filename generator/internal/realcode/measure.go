package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// row is what came of a module.
type row struct {
	module
	methods  int
	refused  int
	reasons  map[string]int
	generate time.Duration // the first run, with all directives
	build    string        // what the compiler says; empty when it is content
}

// rounds is how often refused directives are taken out.
const rounds = 10

func measure(ctx context.Context, m module, dir string) (*row, error) {
	if len(m.packages) == 0 {
		m.packages = []string{"./..."}
	}
	at, err := fetch(ctx, m, dir)
	if err != nil {
		return nil, err
	}
	if _, err := command(ctx, at, "go", append([]string{"build"}, m.packages...)...); err != nil {
		return nil, err
	}
	files, err := built(ctx, at, m.packages)
	if err != nil {
		return nil, err
	}
	a := &annotation{}
	for _, file := range files {
		if err := a.file(file); err != nil {
			return nil, err
		}
	}
	r := &row{module: m, methods: a.methods, reasons: map[string]int{}}
	if err := r.generateAll(ctx, at, files); err != nil {
		return nil, err
	}
	if _, err := command(ctx, at, "go", append([]string{"build"}, m.packages...)...); err != nil {
		r.build = err.Error()
	}
	return r, nil
}

// built are the files that the build has, those that it builds here only
// among them.
func built(ctx context.Context, at string, packages []string) ([]string, error) {
	const format = `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range .CgoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`
	list, err := command(ctx, at, "go", append([]string{"list", "-f", format}, packages...)...)
	return strings.Fields(list), err
}

// generateAll generates, again without what was refused until nothing is.
func (r *row) generateAll(ctx context.Context, at string, files []string) error {
	for round := range rounds {
		start := time.Now()
		result, err := generator.Generate(ctx, generator.Config{Dir: at, Patterns: r.packages, Env: environment()})
		if err != nil {
			return err
		}
		if round == 0 {
			r.generate = time.Since(start)
		}
		if !result.Failed() {
			_, err := result.Write()
			return err
		}
		for _, p := range result.Problems {
			if !p.Note {
				if err := r.refuse(at, p, files, round == rounds-1); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// refuse takes out the directive that a problem is about, or all of its
// package where it is about none.
func (r *row) refuse(at string, p generator.Problem, files []string, all bool) error {
	path := filepath.Join(at, p.Pos.Filename)
	n := 0
	if !all {
		var err error
		if n, err = blank(path, p.Pos.Line); err != nil {
			return err
		}
	}
	for _, file := range files {
		if n == 0 && filepath.Dir(file) == filepath.Dir(path) {
			more, err := strip(file, func(int) bool { return true })
			if err != nil {
				return err
			}
			r.refused += more
			r.reasons[reason(p.Text)] += more
		}
	}
	r.refused += n
	r.reasons[reason(p.Text)] += n
	return nil
}
