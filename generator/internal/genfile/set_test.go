package genfile

import (
	"go/parser"
	"go/token"
	"testing"
)

func constraintOf(t *testing.T, path, src string, tags ...string) Constraint {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return ConstraintOf(path, f, tags...)
}

func TestConstraintOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		file, src string
		want      Constraint
	}{
		{"a.go", "package a\n", ""},
		{"a_linux.go", "package a\n", "linux"},
		{"a_linux_test.go", "package a\n", "linux"},
		{"a_windows_arm64.go", "package a\n", "windows && arm64"},
		{"a_arm64_windows.go", "package a\n", "windows"},
		{"linux.go", "package a\n", ""},
		{"a_other.go", "package a\n", ""},
		{"a_test.go", "package a\n", ""},
		{"a.go", "//go:build linux\n\npackage a\n", "linux"},
		{"a_linux.go", "//go:build linux\n\npackage a\n", "linux"},
		{"a_linux.go", "//go:build cgo && amd64\n\npackage a\n", "cgo && linux && amd64"},
		{"a.go", "//go:build amd64 && linux\n\npackage a\n", "linux && amd64"},
		{"a.go", "//go:build (b || a) && c && (c)\n\npackage a\n", "(a || b) && c"},
		{"a.go", "//go:build b || a && c || !(x && y)\n\npackage a\n", "!(x && y) || (a && c) || b"},
		{"a_linux.go", "//go:build b || a\n\npackage a\n", "(a || b) && linux"},
		{"a.go", "//go:build !nothing\n\npackage a\n", "!nothing"},
		{"a.go", "//go:build !(b || a)\n\npackage a\n", "!(a || b)"},
		{"a.go", "//go:build go1.21\n\npackage a\n", ""},
		{"a_linux.go", "//go:build go1.21\n\npackage a\n", "linux"},
		{"a.go", "//go:build !go1.21\n\npackage a\n", "!go1.21"},
		{"a.go", "//go:build go1.21 && linux\n\npackage a\n", "linux"},
		{"a.go", "// A comment.\n\n//go:build linux\npackage a\n", "linux"},
		{"a.go", "/* A comment. */\n\n//go:build linux\n\npackage a\n", "linux"},
		{"a.go", "// +build linux darwin\n// +build amd64\n\npackage a\n", "(darwin || linux) && amd64"},
		{"a.go", "// +build linux\npackage a\n", ""},
		{"a.go", "package a\n\n//go:build linux\n", ""},
		{"a.go", "// see //go:build linux\npackage a\n", ""},
		{"a.go", "\uFEFF//go:build linux\r\n\r\npackage a\r\n", "linux"},
	} {
		if got := constraintOf(t, "/dir/"+tt.file, tt.src); got != tt.want {
			t.Errorf("the constraint of %s, %q, is %q, want %q", tt.file, tt.src, got, tt.want)
		}
	}
	if got := constraintOf(t, "a_linux.go", "package a\n", "cgo"); got != "cgo && linux" {
		t.Errorf("with cgo: %q", got)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		set  Set
		want string
	}{
		{Set{}, "ratelimit_gen.go"},
		{Set{Kind: Test}, "ratelimit_gen_test.go"},
		{Set{Kind: External}, "ratelimit_gen_ext_test.go"},
		{Set{Base, "linux"}, "ratelimit_gen_linux.go"},
		{Set{Base, "linux && amd64"}, "ratelimit_gen_linux_amd64.go"},
		{Set{Test, "linux"}, "ratelimit_gen_linux_test.go"},
		{Set{External, "integration"}, "ratelimit_gen_ext_integration_test.go"},
		{Set{Base, "cgo && !windows"}, "ratelimit_gen_cgo_notwindows.go"},
		{Set{Base, "!race"}, "ratelimit_gen_notrace.go"},
		{Set{Base, "a || b"}, "ratelimit_gen_a_or_b.go"},
		{Set{Base, "darwin || linux"}, "ratelimit_gen_darwin_or_linux_"},
		{Set{Base, "test"}, "ratelimit_gen_test_"},
		{Set{Base, "ext"}, "ratelimit_gen_tag_ext_"},
		{Set{Test, "ext && linux"}, "ratelimit_gen_tag_ext_linux_"},
		{Set{Base, "or"}, "ratelimit_gen_or_"},
		{Set{Base, "notrace"}, "ratelimit_gen_notrace_"},
		{Set{Base, "a_b"}, "ratelimit_gen_a_b_"},
		{Set{Base, "A"}, "ratelimit_gen_a_"},
		{Set{Base, "x_linux"}, "ratelimit_gen_x_linux_"},
		{Set{Base, "(a || b) && c"}, "ratelimit_gen_a_or_b_c_"},
		{Set{Base, "é"}, "ratelimit_gen__"},
		{Set{Base, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa && b"}, "ratelimit_gen_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_"},
	} {
		want := tt.want
		if want[len(want)-1] == '_' {
			want += tt.set.Constraint.digest()
			if tt.set.Kind != Base {
				want += "_test"
			}
			want += ".go"
		}
		got := tt.set.Name()
		if got != want {
			t.Errorf("%+v is called %s, want %s", tt.set, got, want)
		}
		if !Named(got) {
			t.Errorf("%s is not named like ours", got)
		}
		if external := tt.set.Kind == External; external != (Package(got, "p") == "p_test") {
			t.Errorf("%s is of package %s", got, Package(got, "p"))
		}
		if implied := nameConstraint(got); !tt.set.Constraint.Implies(implied) {
			t.Errorf("%s has the constraint %s by its name", got, implied)
		}
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		set, other Set
		want       bool
	}{
		{Set{}, Set{}, true},
		{Set{Base, "linux"}, Set{}, true},
		{Set{}, Set{Base, "linux"}, false},
		{Set{Test, ""}, Set{}, true},
		{Set{}, Set{Test, ""}, false},
		{Set{External, ""}, Set{}, false},
		{Set{External, "a"}, Set{External, ""}, true},
		{Set{Base, "a && b"}, Set{Base, "b"}, true},
		{Set{Base, "a && b"}, Set{Base, "a || c"}, true},
		{Set{Base, "a"}, Set{Base, "a && b"}, false},
		{Set{Base, "linux"}, Set{Base, "!windows"}, true},
		{Set{Base, "linux"}, Set{Base, "!android"}, false},
		{Set{Base, "linux"}, Set{Base, "unix"}, true},
		{Set{Base, "windows"}, Set{Base, "unix"}, false},
		{Set{Base, "windows"}, Set{Base, "!unix"}, true},
		{Set{Base, "linux && amd64"}, Set{Base, "!arm64"}, true},
		{Set{Base, "!(a || b)"}, Set{Base, "!a"}, true},
		{Set{Base, "linux && x_darwin"}, Set{Base, "x_darwin"}, true},
		{Set{Base, "android"}, Set{Base, "linux || windows"}, false},
		{Set{Base, "a && b && c && d && e && f && g && h && i && j && k && l && m"}, Set{Base, "a"}, false},
	} {
		if got := tt.set.Covers(tt.other); got != tt.want {
			t.Errorf("%+v covers %+v: %v", tt.set, tt.other, got)
		}
	}
}
