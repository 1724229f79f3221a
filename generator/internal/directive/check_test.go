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
	broken, _ := Parse(Prefix + `and window=1m "limit"=3`)
	rule, _ := Join(parse(t, `key=a`), broken)
	if problems := Check(rule); len(problems) > 0 {
		t.Errorf("a rule whose other line was not read has the problems %v", problems)
	}
}

func TestJoinedDefault(t *testing.T) {
	whole, problems := Join(parse(t, `default key=a`), parse(t, `and name=x limit=3`))
	if diff := cmp.Diff("key=a; limit=3 is 3", itemString(whole.Items)); diff != "" || whole.Kind != Default {
		t.Errorf("kind %v, items (-want +got):\n%s", whole.Kind, diff)
	}
	want := []Problem{{Line: 1, Off: len("//ratelimit:and "), Text: "name cannot stand in //ratelimit:default, only in a rule"}}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestInherit(t *testing.T) {
	for _, tt := range []struct{ rule, defaults, want string }{
		{`limit=3`, `window=1h fixed fail=closed`, `limit=3 is 3; window=1h is 1h0m0s; fixed; fail=closed is "closed"`},
		{`limit=3 window=2h`, `limit=4 window=1h`, `limit=3 is 3; window=2h is 2h0m0s`},
		{`key=a`, `by=ip limit=3`, `key=a; limit=3 is 3`},
		{`by=ip`, `key=a`, `by=ip is "ip"`},
		{`sliding`, `token burst=3`, `sliding`},
		{`token`, `token burst=3`, `token; burst=3 is 3`},
		{`limit=3`, `token burst=3`, `limit=3 is 3; token; burst=3 is 3`},
		{`token`, `burst=3`, `token; burst=3 is 3`},
		{`leaky burst=1`, `token burst=3`, `leaky; burst=1 is 1`},
		{`window=1h`, `window=day tz=UTC`, `window=1h is 1h0m0s`},
		{`window=week`, `window=day tz=UTC`, `window=week is "week"; tz=UTC is "UTC"`},
		{`limit=3 window=day tz=UTC`, `window=1m sliding`, `limit=3 is 3; window=day is "day"; tz=UTC is "UTC"`},
		{`window=day tz=UTC`, `token burst=3`, `window=day is "day"; tz=UTC is "UTC"`},
		{`window=day tz=UTC sliding`, `token`, `window=day is "day"; tz=UTC is "UTC"; sliding`},
		{`limit=3`, `window=day tz=UTC`, `limit=3 is 3; window=day is "day"; tz=UTC is "UTC"`},
	} {
		got := parse(t, tt.rule).Inherit(parse(t, "default "+tt.defaults), 1)
		if diff := cmp.Diff(tt.want, itemString(got.Items)); diff != "" || got.Kind != Rule {
			t.Errorf("%q under %q (-want +got):\n%s", tt.rule, tt.defaults, diff)
		}
	}
}

func TestInheritedItemsHaveTheirLines(t *testing.T) {
	got := parse(t, `limit=3`).Inherit(parse(t, `default window=1h`), 2)
	if limit, window := got.Items[0].Line, got.Items[1].Line; limit != 0 || window != 2 {
		t.Errorf("limit in line %d, window in line %d, want 0 and 2", limit, window)
	}
}

func TestNumbersOfExpressions(t *testing.T) {
	rule := parse(t, `limit=n window=1h sliding cost=10`)
	spec := rule.RuleSpec()
	for limit, want := range map[int64]string{
		10:      "",
		9:       "cost: 10 is above 9, the most that one call can take: none would ever pass",
		100_001: "limit: 100001 is above 100000, the most that sliding holds",
	} {
		spec.Limit = limit
		got := ""
		for _, p := range rule.checkNumbers(spec) {
			got += p.Text
		}
		if got != want {
			t.Errorf("limit %d has the problem %q, want %q", limit, got, want)
		}
	}
}
