package directive

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

func parse(t *testing.T, text string) Directive {
	t.Helper()
	d, problems := Parse(Prefix + text)
	if len(problems) > 0 {
		t.Fatalf("Parse(%q) has the problems %v", text, problems)
	}
	return d
}

func TestNote(t *testing.T) {
	tests := []struct {
		text string
		note bool
	}{
		{"limit=3 window=60s", true},
		{"limit=3 window=60s fixed", false},
		{"limit=3 window=60s sliding", false},
		{"limit=3 window=10m", false},
	}
	for _, tt := range tests {
		problems := Check(parse(t, tt.text))
		if got := len(problems) == 1 && problems[0].Note; got != tt.note || len(problems) > 1 {
			t.Errorf("Check(%q) = %v, want a note: %v", tt.text, problems, tt.note)
		}
	}
}

func TestAlgorithm(t *testing.T) {
	for text, want := range map[string]rules.Algorithm{
		"limit=3 window=1h":         rules.FixedWindow,
		"limit=3 window=1h fixed":   rules.FixedWindow,
		"sliding limit=3 window=1h": rules.SlidingWindow,
	} {
		if got := parse(t, text).Algorithm(); got != want {
			t.Errorf("Algorithm of %q = %v, want %v", text, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	first, second := parse(t, `key=a limit=3`), parse(t, `window=1m limit=4 sliding`)
	rule, problems := Join(first, second)
	if diff := cmp.Diff("key=a; limit=3 is 3; window=1m is 1m0s; sliding", itemString(rule.Items)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	want := []Problem{{Line: 1, Off: second.Items[1].Off, Text: "limit is given twice"}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if window, ok := rule.Item("window"); !ok || window.Line != 1 {
		t.Errorf("window = %+v, %v, want it in line 1", window, ok)
	}
	if problems := Check(rule); len(problems) > 0 {
		t.Errorf("the joined rule has the problems %v", problems)
	}
}

func TestCheckAcrossLines(t *testing.T) {
	rule, _ := Join(parse(t, `limit=100_001 window=1m`), parse(t, `key=a sliding`))
	want := []Problem{{Off: len(Prefix), Text: "limit: 100001 is above 100000, the most that sliding holds"}}
	if diff := cmp.Diff(want, Check(rule)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	rule, _ = Join(parse(t, `limit=1 window=1m fixed`), parse(t, `key=a sliding`))
	want = []Problem{{Line: 1, Off: len(Prefix) + len("key=a "), Text: "fixed and sliding exclude each other"}}
	if diff := cmp.Diff(want, Check(rule)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestBrokenLineIsNotMissing(t *testing.T) {
	broken, _ := Parse(Prefix + `and limit=3 window=1m`)
	rule, _ := Join(parse(t, `key=a`), broken)
	if problems := Check(rule); len(problems) > 0 {
		t.Errorf("a rule whose other line was not read has the problems %v", problems)
	}
}
