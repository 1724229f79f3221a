package directive

import (
	"strings"
	"testing"
)

// FuzzParse looks for texts on which the parser panics, does not end, or
// gives offsets outside of the text.
func FuzzParse(f *testing.F) {
	for _, tt := range goodTests {
		f.Add(Prefix + tt.text)
	}
	for _, tt := range badTests {
		f.Add(strings.ReplaceAll(tt.text, mark, ""))
	}
	f.Add("//ratelimit:key=\xff\x00 limit=3\r\nwindow=4s")
	f.Fuzz(func(t *testing.T, text string) {
		d, problems := Parse(text)
		checkItems(t, text, d)
		for _, p := range append(problems, Check(d)...) {
			if p.Off < 0 || p.Off > len(text) || p.Line != 0 || p.Text == "" {
				t.Errorf("%q has the problem %+v", text, p)
			}
		}
		for _, item := range d.Items {
			if item.Bad && len(problems) == 0 {
				t.Errorf("%q has the bad item %+v and no problem", text, item)
			}
		}
		Near(text)
	})
}

func checkItems(t *testing.T, text string, d Directive) {
	end := 0
	for _, item := range d.Items {
		if item.Off < end || item.ValueOff < item.Off || item.End < item.ValueOff || item.End > len(text) {
			t.Fatalf("%q has the item %+v", text, item)
		}
		if got := text[item.ValueOff:item.End]; got != item.Value {
			t.Errorf("the value %q of %q stands at %q", item.Value, text, got)
		}
		end = item.End
	}
}
