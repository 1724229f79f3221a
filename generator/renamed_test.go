package generator_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const renamed = `package p

type T struct{}

//ratelimit:limit=1 window=1h name=first
func (*T) Named() error { return nil }

//ratelimit:limit=1 window=1h
func (*T) Kept() error { return nil }

//ratelimit:limit=1 window=1h
func (*T) Gone() error { return nil }

//ratelimit:limit=1 window=1h name=a
func (*T) A() error { return nil }

//ratelimit:limit=1 window=1h name=b
func (*T) B() error { return nil }
`

func TestRenamed(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	path := filepath.Join(module, "p/a.go")
	write(t, path, renamed)
	result := generate(t, module)
	if lines := result.Renamed(); lines != nil {
		t.Errorf("without an old file: %q", lines)
	}
	if _, err := result.Write(); err != nil {
		t.Fatal(err)
	}
	if lines := generate(t, module).Renamed(); lines != nil {
		t.Errorf("without a change: %q", lines)
	}
	changes := strings.NewReplacer("name=first", "name=second", "Gone()", "Other()", "name=a", "name=b", "name=b", "name=a")
	write(t, path, changes.Replace(renamed))
	want := []string{
		"the buckets of p.T.Gone would be left behind",
		"the buckets of first would be those of second",
	}
	if diff := cmp.Diff(want, generate(t, module).Renamed()); diff != "" {
		t.Errorf("after changes (-want +got):\n%s", diff)
	}
}
