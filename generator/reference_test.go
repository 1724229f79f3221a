package generator_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/reference"
)

// fixture is what the examples of the reference stand in.
const fixture = `package shop

import "context"

type base struct{}

func (base) Later(ctx context.Context, userID int64, to []string) error { return nil }

func (base) Valid(ctx context.Context, userID int64, to []string) error { return nil }

func isVIP(userID int64) bool { return userID == 1 }
`

// TestReferenceExamples generates and compiles every example of the reference.
func TestReferenceExamples(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	for _, item := range directive.Items {
		if item.Usage != "" {
			example(t, module, "item_"+item.Name, reference.Snippet(item))
		}
	}
	for _, kind := range directive.Kinds {
		example(t, module, "kind_"+kind.Name, kind.Usage)
	}
	result := generate(t, module)
	if text := problems(result); text != "" {
		t.Errorf("the examples have problems:\n%s", text)
	}
	if changed, err := result.Write(); err != nil || len(changed) != len(result.Files) || len(changed) < 10 {
		t.Errorf("%d files written of %d: %v", len(changed), len(result.Files), err)
	}
	run(t, module, "vet", "./...")
}

// example writes the package of an example. Its name keeps its rules apart
// from those of others.
func example(t *testing.T, module, name, snippet string) {
	t.Helper()
	src := strings.Replace(fixture, "shop", name, 1)
	if !strings.Contains(snippet, "type ") {
		src += "\ntype Mail struct{ base }\n"
	}
	for line := range strings.Lines(strings.ReplaceAll(snippet, "\t", "") + "\n") {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "func ") {
			line += " { return nil }"
		}
		src += "\n" + line
	}
	if !strings.Contains(src, ") Send(") {
		src += "\nfunc (m *" + typeName(src) + ") Send(ctx context.Context, userID int64) error { return nil }\n"
	}
	write(t, filepath.Join(module, name, "a.go"), src)
}

// typeName is the name of the type that the source declares last.
func typeName(src string) string {
	_, rest, _ := strings.Cut(src[strings.LastIndex(src, "\ntype "):], "type ")
	name, _, _ := strings.Cut(rest, " ")
	return name
}
