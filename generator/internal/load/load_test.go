package load

import (
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestPosition(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]token.Position{
		"":           {},
		"-":          {},
		"a.go":       {Filename: "a.go"},
		"a.go:3":     {Filename: "a.go", Line: 3},
		"a.go:3:7":   {Filename: "a.go", Line: 3, Column: 7},
		"C:/a.go:3":  {Filename: "C:/a.go", Line: 3},
		"a:b.go:1:2": {Filename: "a:b.go", Line: 1, Column: 2},
	} {
		if got := position(s); got != want {
			t.Errorf("position(%q) = %#v", s, got)
		}
	}
}

func TestNewerGo(t *testing.T) {
	t.Parallel()
	text, ok := newerGo("package requires newer Go version go1.99 (application built with go1.26)")
	if !ok || !strings.Contains(text, "the module asks for go1.99, but ratelimitgen was built with go") {
		t.Errorf("%q, %v", text, ok)
	}
	if text, ok := newerGo("undefined: x"); ok {
		t.Errorf("an ordinary error became %q", text)
	}
}

func TestNotListed(t *testing.T) {
	t.Parallel()
	for msg, want := range map[string]string{
		"open /m/q: permission denied":                "/m/q: cannot be read: permission denied",
		"pattern ./...: open /m/q: permission denied": "/m/q: cannot be read: permission denied",
		"stat /m/x: directory not found":              "/m/x: directory not found; a hint",
		"no Go files in /m/e":                         "no Go files in /m/e; a hint",
		"package x is not in std (/go/src/x)":         "package x is not in std (/go/src/x); a hint",
	} {
		if got := notListed(packages.Error{Msg: msg}, "; a hint").String(); got != want {
			t.Errorf("%q became %q, want %q", msg, got, want)
		}
	}
}
