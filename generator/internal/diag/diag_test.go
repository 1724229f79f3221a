package diag

import (
	"errors"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func at(file string, line, col int) token.Position {
	return token.Position{Filename: file, Line: line, Column: col}
}

func TestString(t *testing.T) {
	tests := []struct {
		problem Problem
		want    string
	}{
		{Problem{Pos: at("a.go", 3, 14), Text: "wrong"}, "a.go:3:14: wrong"},
		{Problem{Pos: at("a.go", 3, 14), Text: "well", Note: true}, "a.go:3:14: note: well"},
		{Problem{Pos: at("a.go", 3, 0), Text: "wrong"}, "a.go:3: wrong"},
		{Problem{Pos: at("a.go", 0, 0), Text: "wrong"}, "a.go: wrong"},
		{Problem{Text: "wrong"}, "wrong"},
		{Problem{Text: "well", Note: true}, "note: well"},
	}
	for _, tt := range tests {
		if got := tt.problem.String(); got != tt.want {
			t.Errorf("String() = %q, want %q", got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	var list, other List
	list.Addf(at("b.go", 1, 1), "in %s", "b")
	list.Addf(at("a.go", 10, 2), "late")
	list.Addf(at("a.go", 9, 20), "far")
	list.Addf(at("a.go", 9, 3), "second")
	list.Notef(at("a.go", 9, 3), "first")
	list.Addf(at("a.go", 9, 3), "second")
	other.Notef(at("a.go", 9, 3), "second")
	list.Merge(&other)

	want := []string{
		"a.go:9:3: note: first",
		"a.go:9:3: second",
		"a.go:9:3: note: second",
		"a.go:9:20: far",
		"a.go:10:2: late",
		"b.go:1:1: in b",
	}
	var got []string
	for _, p := range list.Problems() {
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestErr(t *testing.T) {
	var list List
	if list.HasErrors() || list.Err() != nil {
		t.Error("an empty list has errors")
	}
	list.Notef(at("a.go", 2, 1), "well")
	if list.HasErrors() || list.Err() != nil {
		t.Error("a list of notes has errors")
	}
	list.Addf(at("a.go", 1, 1), "wrong")
	var err *Error
	if !list.HasErrors() || !errors.As(list.Err(), &err) || len(err.Problems) != 2 {
		t.Fatalf("Err() = %v, want both problems", list.Err())
	}
	if want := "a.go:1:1: wrong\na.go:2:1: note: well"; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err.Error(), want)
	}
}

func TestProblemsAreACopy(t *testing.T) {
	var list List
	list.Addf(at("a.go", 1, 1), "wrong")
	list.Problems()[0].Text = "changed"
	if got := list.Problems()[0].Text; got != "wrong" {
		t.Errorf("the list holds %q", got)
	}
}
