package ratelimit_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestWords: what events, rules and logs hold is read by people.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   []any
		want string
	}{
		{[]any{ratelimit.OpAcquire, ratelimit.OpPeek, ratelimit.OpRefund, ratelimit.OpReset, ratelimit.Op(99)},
			"[acquire peek refund reset unknown operation]"},
		{[]any{ratelimit.LogWarn, ratelimit.LogDebug, ratelimit.LogInfo, ratelimit.LogError, ratelimit.LogOff, ratelimit.LogLevel(99)},
			"[warn debug info error off unknown level]"},
		{[]any{ratelimit.Algorithm(0), ratelimit.FixedWindow, ratelimit.SlidingWindow, ratelimit.SlidingCounter, ratelimit.TokenBucket, ratelimit.LeakyBucket, ratelimit.Algorithm(99)},
			"[fixed fixed sliding counter token leaky unknown algorithm]"},
		{[]any{ratelimit.Calendar(0), ratelimit.Minute, ratelimit.Hour, ratelimit.Day, ratelimit.Week, ratelimit.Month, ratelimit.Calendar(99)},
			"[no calendar minute hour day week month unknown calendar]"},
		{[]any{ratelimit.Failure(0), ratelimit.FailOpen, ratelimit.FailClosed, ratelimit.FailLocal, ratelimit.Failure(99)},
			"[default open closed local unknown policy]"},
		{[]any{ratelimit.ByNobody, ratelimit.ByStore, ratelimit.ByDenyCache, ratelimit.ByLocal, ratelimit.ByPolicy, ratelimit.Decider(99)},
			"[nobody store deny cache local policy unknown decider]"},
		{[]any{ratelimit.StoreFault, ratelimit.LateFault, ratelimit.SetupFault, ratelimit.BucketFault, ratelimit.Fault(99)},
			"[store late setup bucket unknown fault]"},
		{[]any{ratelimit.CircuitClosed, ratelimit.CircuitHalfOpen, ratelimit.CircuitOpen, ratelimit.CircuitState(99)},
			"[closed half-open open unknown state]"},
	} {
		if got := fmt.Sprint(c.of); got != c.want {
			t.Errorf("%T: %s, want %s", c.of[0], got, c.want)
		}
	}
}

// TestEveryWordHasAText finds the types that would be read as numbers.
func TestEveryWordHasAText(t *testing.T) {
	t.Parallel()
	numbers, texts := words(t)
	if len(numbers) < 8 {
		t.Fatalf("only %v were found", numbers)
	}
	for _, name := range numbers {
		if !texts[name] {
			t.Errorf("%s prints as a number", name)
		}
	}
}

// words are the exported types of the package that are small numbers, and those
// of all that have a String.
func words(t *testing.T) (numbers []string, texts map[string]bool) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				numbers = append(numbers, exportedNumbers(d)...)
			case *ast.FuncDecl:
				if on, ok := receiver(d); ok && d.Name.Name == "String" {
					texts[on] = true
				}
			}
		}
	}
	return numbers, texts
}

func exportedNumbers(d *ast.GenDecl) (names []string) {
	for _, s := range d.Specs {
		if of, ok := s.(*ast.TypeSpec); ok && of.Name.IsExported() {
			if of, ok := of.Type.(*ast.Ident); ok && of.Name == "uint8" {
				names = append(names, s.(*ast.TypeSpec).Name.Name)
			}
		}
	}
	return names
}

func receiver(f *ast.FuncDecl) (name string, ok bool) {
	if f.Recv == nil {
		return "", false
	}
	on, ok := f.Recv.List[0].Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return on.Name, true
}
