package generator_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// speakers are the packages whose texts reach users as problems.
var speakers = []string{
	"internal/collect", "internal/directive", "internal/resolve", "internal/load", "internal/keyexpr", "../internal/rules",
}

// silent are files whose texts do not.
var silent = map[string]bool{
	"internal/directive/items.go": true, // for the reference
	"internal/directive/table.go": true, // likewise
	"internal/resolve/stub.go":    true, // code
	"internal/load/cgo.go":        true, // likewise
	"../internal/rules/phrase.go": true, // for comments
}

// exempt are texts that no source brings forth, with the reason, and others
// that are no part of a message.
var exempt = map[string]string{
	"a directive starts with %s":                             "only directives are parsed",
	"it has no closing quote":                                "the scanner reports it",
	"the embedded ":                                          "the type checker reports it",
	"%s does not type-check":                                 "the type checker reports it",
	"the method %s of %s does not type-check":                "the type checker reports it",
	"%s cannot be type-checked":                              "the type checker reports it",
	" cannot be type-checked":                                "the go command reports it",
	"%s has no receiver that could be wrapped":               "the type checker reports it",
	" (invalid package name: \"\")":                          "is cut off",
	"ratelimit stubs":                                        "is the name of a file",
	"package p\n":                                            "is code",
	"no calendar":                                            "is no word of a directive",
	"unknown calendar":                                       "is no word of a directive",
	"there is no algorithm %d":                               "is no flag of a directive",
	"there is no calendar word %d":                           "is no word of a directive",
	"%v and the calendar word %s exclude each other":         "a window is one of them",
	"%v is not a whole number of microseconds":               "the unit of durations is one",
	"%d is negative":                                         "the items are at least 0",
	"package %s was not imported before":                     "only stubs import it",
	"%s is no method that a wrapper of %s could have":        "the type checker reports it",
	"is missing":                                             "a name has letters",
	"rules: zone %q was not checked: %v":                     "it was",
	"the go command failed: %s":                              "no source makes it fail",
	"package %s belongs to the module %s: generate it there": "a case has one module",

	// Of expressions.
	"any value":                               "everything is one",
	"a basic value":                           "the checks before it are stricter",
	" is nil":                                 "is an error of generated code",
	" has to match":                           "is a comment in generated code",
	", which runs on expr's VM":               "is a comment in generated code",
	"the expression is too long":              "takes ten thousand operators",
	"the expression is longer than %d bytes":  "takes a very long line",
	"an expression is one line":               "a directive is one line",
	"this is no valid UTF-8":                  "the Go parser reports it",
	"the expression is empty":                 "the grammar of directives reports it",
	"a comment cannot stand in an expression": "the grammar of directives reports it",
	"\"let\" cannot stand in an expression: it has no variables of its own": "the grammar of directives reports it",
	"this is no valid expression":                                           "is for what nobody thought of",
	"the expression cannot be parsed":                                       "is for what nobody thought of",

	"the text of the packages does not tell what they are":                                                  "is answered by listing them",
	"the module asks for %s, but ratelimitgen was built with %s; build ratelimitgen again with %s or later": "needs a newer go command",
	"-mod=vendor": "is what the go command says",
	", which is not vendored; run go mod vendor": "has a test of its own",
	"the module asks for go%s, but the go command that ratelimitgen (built with %s) calls is go%s; install the newer go or set GOTOOLCHAIN=auto": "has a test of its own",
}

// TestEveryMessageHasACase looks for each text of a message in what the golden
// cases want.
func TestEveryMessageHasACase(t *testing.T) {
	t.Parallel()
	wanted := wantedProblems(t)
	for _, dir := range speakers {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || silent[filepath.ToSlash(file)] {
				continue
			}
			for _, text := range messages(t, file) {
				if exempt[text] == "" && !pattern(text).MatchString(wanted) {
					t.Errorf("%s: no golden case has %q", file, text)
				}
			}
		}
	}
}

// wantedProblems are the problems of all golden cases, one a line, and those
// that tests of runs that cannot begin look for.
func wantedProblems(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cases, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name == wantText {
				all.Write(f.Data)
			}
		}
	}
	return all.String() + read(t, "generate_test.go")
}

// messages are the texts of a file that read like a sentence or a part of one.
func messages(t *testing.T, file string) []string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !compares(n)
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind == token.STRING && err == nil && sentence.MatchString(text) {
				texts = append(texts, text)
			}
		}
		return true
	})
	return texts
}

// compares reports whether a call compares its arguments with the texts of
// others.
func compares(call *ast.CallExpr) bool {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"Contains", "CutPrefix", "HasPrefix", "HasSuffix", "MustCompile"}, fn.Sel.Name)
}

// sentence matches two words with a blank between them.
var sentence = regexp.MustCompile(`[a-z]+[,;:"]? "?[a-z%]+`)

var verb = regexp.MustCompile(`%[a-z]`)

// pattern matches what a format can become.
func pattern(format string) *regexp.Regexp {
	return regexp.MustCompile(verb.ReplaceAllLiteralString(regexp.QuoteMeta(format), ".+"))
}
