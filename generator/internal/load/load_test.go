package load

import (
	"go/token"
	"strings"
	"testing"
)

func TestConstrained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, src string
		want      bool
	}{
		{"a.go", "package a\n", false},
		{"a_linux.go", "package a\n", true},
		{"a_windows_arm64.go", "package a\n", true},
		{"linux.go", "package a\n", false},
		{"a_other.go", "package a\n", false},
		{"a.go", "//go:build linux\n\npackage a\n", true},
		{"a.go", "//go:build !nothing\n\npackage a\n", true},
		{"a.go", "//go:build go1.21\n\npackage a\n", false},
		{"a_linux.go", "//go:build go1.21\n\npackage a\n", true},
		{"a.go", "//go:build !go1.21\n\npackage a\n", true},
		{"a.go", "//go:build go1.21 && linux\n\npackage a\n", true},
		{"a.go", "// A comment.\n\n//go:build linux\npackage a\n", true},
		{"a.go", "package a\n\n//go:build linux\n", false},
		{"a.go", "// see //go:build linux\npackage a\n", false},
	} {
		if got := constrained("/dir/"+tt.file, []byte(tt.src)); got != tt.want {
			t.Errorf("constrained(%s, %q) = %v", tt.file, tt.src, got)
		}
	}
}

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
