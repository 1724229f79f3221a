package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asTool makes the test binary the tool itself.
const asTool = "RATELIMITGEN_TEST_AS_TOOL"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// outcome is what one run of the tool shows.
type outcome struct {
	code           int
	stdout, stderr string
}

func tool(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asTool+"=1", "GOFLAGS=", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (o outcome) expect(t *testing.T, step string, code int, stdout, stderr string) {
	t.Helper()
	if o.code != code {
		t.Errorf("%s: exit code %d, want %d", step, o.code, code)
	}
	match(t, step+": stdout", o.stdout, stdout)
	match(t, step+": stderr", o.stderr, stderr)
}

// match checks that got has want in it, or nothing where want is empty.
func match(t *testing.T, what, got, want string) {
	t.Helper()
	if want == "" && got != "" || !strings.Contains(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	good  = "package p\n\ntype T struct{}\n\n//ratelimit:limit=1 window=1h\nfunc (*T) M() error { return nil }\n"
	bad   = "package p\n\ntype T struct{}\n\n//ratelimit:limit=1\nfunc (*T) M() error { return nil }\n"
	noted = "package p\n\ntype T struct{}\n\n//ratelimit:limit=1 window=1m\nfunc (*T) M() error { return nil }\n"
)

func TestGenerateAndCheck(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": good})
	out := filepath.Join(dir, "ratelimit_gen.go")

	tool(t, dir, "-check").expect(t, "before", 1, "+func NewRateLimitedT(", "stale; run go generate\n")
	if _, err := os.Stat(out); err == nil {
		t.Error("-check wrote a file")
	}
	tool(t, dir).expect(t, "generate", 0, "", "")
	before, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "-check").expect(t, "after", 0, "", "")
	tool(t, dir).expect(t, "again", 0, "", "")
	if after, err := os.Stat(out); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was written again: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte("package p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tool(t, dir, "-check", ".").expect(t, "orphan", 1, "+++ /dev/null\n", "stale")
	tool(t, dir, ".").expect(t, "prune", 0, "", "")
	if _, err := os.Stat(out); err == nil {
		t.Error("the file of a package without directives is still there")
	}
}

func TestProblemsAndNotes(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"a/p.go": bad, "b/p.go": good, "c/p.go": noted})
	const problem = "a/p.go:5:1: the rule has no window"
	tool(t, dir, "./a", "./b").expect(t, "generate", 1, "", problem)
	if _, err := os.Stat(filepath.Join(dir, "b/ratelimit_gen.go")); err != nil {
		t.Errorf("the good package got no file: %v", err)
	}
	tool(t, dir, "-check", "./a", "./b").expect(t, "check", 1, "", problem)
	tool(t, dir, "./c").expect(t, "note", 0, "", "c/p.go:5:1: note: ")
	tool(t, filepath.Join(dir, "a")).expect(t, "inside", 1, "", "p.go:5:1: ")
	tool(t, dir, "./d").expect(t, "missing", 1, "", "ratelimitgen: d: directory not found; ratelimitgen -h prints the usage\n")
}

func TestTags(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": "//go:build special\n\n" + good, "q.go": "package p\n"})
	out := filepath.Join(dir, "ratelimit_gen_special.go")
	const note = "p.go:7:1: note: the directives in this file are not read"
	tool(t, dir).expect(t, "without", 0, "", note)
	tool(t, dir, "list").expect(t, "list without", 0, "", note)
	tool(t, dir, "-check").expect(t, "check without", 0, "", note)
	tool(t, dir, "list", "-tags", "other,special").expect(t, "list", 0, "p.go:7:1: p.T.M: ", "")
	tool(t, dir, "-tags=special", "-check").expect(t, "check", 1, "+//go:build special\n", "run ratelimitgen -tags=special for these packages")
	tool(t, dir, "-tags=special").expect(t, "generate", 0, "", "")
	if _, err := os.Stat(out); err != nil {
		t.Error(err)
	}
	tool(t, dir, "-tags=special", "-check").expect(t, "check again", 0, "", "")
	tool(t, dir, "-check").expect(t, "check without again", 0, "", note)
	tool(t, dir, "-tags").expect(t, "no list", 2, "", "flag needs an argument: -tags")
}

func TestUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool(t, dir, "-h").expect(t, "-h", 0, "", "ratelimitgen list [-json]")
	tool(t, dir, "help").expect(t, "help", 0, "", "ratelimitgen list [-json]")
	tool(t, dir, ".", "-check").expect(t, "flag behind", 2, "", "ratelimitgen: flags such as -check go before the packages; ratelimitgen -h prints the usage\n")
	tool(t, dir, "list", ".", "-json").expect(t, "flag behind list", 2, "", "flags such as -json go before")
	tool(t, dir, "explain", "./...").expect(t, "explain", 2, "", "ratelimitgen: explain is not supported yet")
	tool(t, dir, "-nope").expect(t, "-nope", 2, "", "not defined: -nope; ratelimitgen -h prints the usage\n")
	tool(t, dir, "-version").expect(t, "-version", 0, "ratelimitgen ", "")
	tool(t, dir).expect(t, "no module", 1, "", "ratelimitgen: go.mod file not found")
}

// TestFlagsMeant has flags that are not defined, and others that are wrong.
func TestFlagsMeant(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for args, want := range map[string]string{
		"-chek ./...":  "flag provided but not defined: -chek; did you mean -check?",
		"--chek=true":  "flag provided but not defined: -chek; did you mean -check?",
		"-list":        "flag provided but not defined: -list; did you mean list?",
		"-ls":          "flag provided but not defined: -ls; did you mean list?",
		"-verify":      "flag provided but not defined: -verify; did you mean -check?",
		"-json":        "flag provided but not defined: -json; did you mean list -json?",
		"-generate .":  "flag provided but not defined: -generate; to generate, name packages alone: ratelimitgen ./...",
		"list -jsn":    "flag provided but not defined: -jsn; did you mean -json?",
		"list -check":  "flag provided but not defined: -check",
		"-x":           "flag provided but not defined: -x",
		"-check=maybe": `invalid boolean value "maybe" for -check: parse error`,
		"-tags":        "flag needs an argument: -tags",
	} {
		got, line := tool(t, dir, strings.Fields(args)...), "ratelimitgen: "+want+"; ratelimitgen -h prints the usage\n"
		if got.code != 2 || got.stdout != "" || got.stderr != line {
			t.Errorf("ratelimitgen %s: %+v, want %q", args, got, line)
		}
	}
}

// TestNoDirectives has runs about packages without directives, which are content
// but say so.
func TestNoDirectives(t *testing.T) {
	t.Parallel()
	generating := "//go:generate go tool ratelimitgen\n\npackage p\n"
	dir := module(t, map[string]string{"p.go": generating, "a/a.go": "package a\n", "a/a_test.go": "package a_test\n", "b/p.go": good})
	const here = "ratelimitgen: no directives in example.com/m; did you mean ./...?\n"
	for args, want := range map[string]outcome{
		"":                {0, "", here},
		"-check":          {0, "", here},
		"list":            {0, "", here},
		"list -json .":    {0, "[]\n", here},
		"p.go":            {0, "", here},
		"-check ./a/":     {0, "", "ratelimitgen: no directives in example.com/m/a; did you mean ./a/...?\n"},
		"a/a.go":          {0, "", "ratelimitgen: no directives in example.com/m/a; did you mean ./a/...?\n"},
		"example.com/m/a": {0, "", "ratelimitgen: no directives in example.com/m/a; did you mean example.com/m/a/...?\n"},
		"./a/...":         {0, "", "ratelimitgen: no directives in example.com/m/a\n"},
		". ./a":           {0, "", "ratelimitgen: no directives in the 2 packages of . ./a\n"},
		"./...":           {0, "", ""},
		". ./b":           {0, "", ""},
	} {
		if got := tool(t, dir, strings.Fields(args)...); got != want {
			t.Errorf("ratelimitgen %s: %+v, want %+v", args, got, want)
		}
	}
}

// TestBucketsBeginAnew changes what is part of the names of buckets, and a limit.
func TestBucketsBeginAnew(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": good})
	tool(t, dir).expect(t, "generate", 0, "", "")
	for items, want := range map[string]string{
		"limit=1 window=2h":         "\nthe buckets of p.T.M would begin anew: fixed 1h0m0s becomes fixed 2h0m0s\n",
		"limit=1 window=1h counter": "\nthe buckets of p.T.M would begin anew: fixed 1h0m0s becomes counter 1h0m0s\n",
		"limit=2 window=1h":         "",
	} {
		changed := strings.Replace(good, "limit=1 window=1h", items, 1)
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		got := tool(t, dir, "-check")
		if told := strings.Contains(got.stdout, "buckets"); got.code != 1 || told != (want != "") || !strings.HasSuffix(got.stdout, want) {
			t.Errorf("%s: %+v, want %q", items, got, want)
		}
	}
}

func TestFilesThatFail(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": good})
	if err := os.Symlink("nowhere/x.go", filepath.Join(dir, "ratelimit_gen.go")); err != nil {
		t.Fatal(err)
	}
	const want = "ratelimit_gen.go: cannot be read: it is a link to nowhere/x.go, which does not exist; remove it\n"
	for _, args := range []string{"", "-check", "list", "./..."} {
		got := tool(t, dir, strings.Fields(args)...)
		if got.code != 1 || got.stdout != "" || got.stderr != want {
			t.Errorf("ratelimitgen %s: %+v", args, got)
		}
	}
}

// TestLineEnds checks out what was generated as git does on Windows.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": good})
	tool(t, dir).expect(t, "generate", 0, "", "")
	for _, name := range []string{"p.go", "ratelimit_gen.go"} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tool(t, dir, "-check").expect(t, "check", 0, "", "")
	changed := strings.ReplaceAll(strings.Replace(good, "limit=1", "limit=2", 1), "\n", "\r\n")
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	got := tool(t, dir, "-check")
	got.expect(t, "check of a change", 1, "+\tName: \"p.T.M\", Algorithm: ratelimit.FixedWindow, Limit: 2", "stale")
	if n := strings.Count(got.stdout, "\n-") - 1; n > 2 || strings.Contains(got.stdout, "\r") {
		t.Errorf("the diff has %d lines less:\n%s", n, got.stdout)
	}
}

// TestMeant has words that name no package.
func TestMeant(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"p.go": good, "tag/p.go": good, "version/p.go": good, "in/check/p.go": good, "run/p.go": "package run\n"})
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"check", 2, "ratelimitgen: there is no package check; did you mean -check?; ratelimitgen -h prints the usage\n"},
		{"check ./...", 2, "there is no package check; did you mean -check?;"},
		{"chekc .", 2, "there is no package chekc; did you mean -check?;"},
		{". Check", 2, "there is no package Check; did you mean -check?;"},
		{"-tags=x tags .", 2, "there is no package tags; did you mean -tags?;"},
		{"tags=x ./...", 2, "tags=x is no package; did you mean -tags=x?;"},
		{"list . json=true", 2, "json=true is no package; did you mean -json=true?;"},
		{"lst", 2, "there is no package lst; did you mean list?;"},
		{"List ./...", 2, "there is no package List; did you mean list?;"},
		{"hepl", 2, "there is no package hepl; did you mean help?;"},
		{"-check list", 2, "list goes before flags and packages;"},
		{". list", 2, "list goes before flags and packages;"},
		{"list json .", 2, "there is no package json; did you mean -json?;"},
		{"list tgas .", 2, "there is no package tgas; did you mean -tags?;"},
		{"generate", 2, "ratelimitgen: there is no package generate; to generate, name packages alone: ratelimitgen ./...; ratelimitgen -h prints the usage\n"},
		{"-check Generate ./...", 2, "there is no package Generate; to generate, name packages alone:"},
		{"gen ./...", 2, "there is no package gen; to generate,"},
		{"run", 1, "did you mean ./run?;"},
		{"ls", 2, "there is no package ls; did you mean list?;"},
		{". ls", 2, "list goes before flags and packages;"},
		{"verify ./...", 2, "there is no package verify; did you mean -check?;"},
		{"list verify", 1, "package verify is not in std"},
		{"list list", 1, "package list is not in std"},
		{"version", 2, "there is no package version; did you mean -version or ./version?;"},
		{"tag", 1, "did you mean ./tag?;"},
		{"in/check", 1, "did you mean ./in/check?;"},
		{"in/check/... tag", 1, "did you mean ./tag?;"},
		{"in/...", 1, "no packages match in/...; did you mean ./in/...?;"},
		{"elsewhere", 1, "package elsewhere is not in std"},
	} {
		step := "ratelimitgen " + tt.args
		got := tool(t, dir, strings.Fields(tt.args)...)
		got.expect(t, step, tt.code, "", tt.want)
		if lines := strings.Count(got.stderr, "\n"); tt.code == 2 && lines != 1 {
			t.Errorf("%s: %d lines: %s", step, lines, got.stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "ratelimit_gen.go")); tt.code == 2 && err == nil {
			t.Fatalf("%s wrote a file", step)
		}
	}
	tool(t, filepath.Join(dir, "in"), "./check").expect(t, "a folder", 0, "", "")
	if _, err := os.Stat(filepath.Join(dir, "in/check/ratelimit_gen.go")); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	dir := module(t, map[string]string{"a/p.go": bad, "b/p.go": good})
	const line = "b/p.go:5:1: p.T.M: 1 call in 1h0m0s from the first one for all callers together\n"
	tool(t, dir, "list", "./b").expect(t, "list", 0, line, "")
	tool(t, dir, "list", "./...").expect(t, "list with problems", 1, line, "a/p.go:5:1: the rule has no window")
	tool(t, dir, "list", "-json", "./b").expect(t, "json", 0, `"name": "p.T.M"`, "")
	tool(t, dir, "list", "-nope").expect(t, "usage", 2, "", "not defined: -nope")
	if _, err := os.Stat(filepath.Join(dir, "b/ratelimit_gen.go")); err == nil {
		t.Error("list wrote a file")
	}
}
