package directive

import (
	"testing"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

func TestTable(t *testing.T) {
	seen := make(map[string]bool)
	for _, spec := range Items {
		if seen[spec.Name] {
			t.Errorf("%s is declared twice", spec.Name)
		}
		seen[spec.Name] = true
		if spec.Doc == "" || spec.Value.String() == "" || len(spec.In) == 0 || spec.Usage == "" && !spec.Later {
			t.Errorf("%s has no help, or stands nowhere", spec.Name)
		}
		if spec.Value != Flag && readers[spec.Value] == nil {
			t.Errorf("the value of %s has no reader", spec.Name)
		}
		if spec.Value != Flag && spec.example() == "..." {
			t.Errorf("%s has no example", spec.Name)
		}
	}
	for _, spec := range Kinds {
		if spec.Doc == "" || spec.Usage == "" || seen[spec.Name] {
			t.Errorf("the directive %q has no help, or the name of an item", spec.Name)
		}
	}
}

// TestAlgorithmsAreFlags compares the table with the algorithms that the
// rules know.
func TestAlgorithmsAreFlags(t *testing.T) {
	for _, a := range rules.Algorithms() {
		spec, ok := Lookup(a.Info().Item)
		if !ok || spec.Value != Flag || spec.Group != "algorithm" {
			t.Errorf("the algorithm %s has the entry %+v", a.Info().Item, spec)
		}
	}
	for _, spec := range Items {
		if _, known := rules.ByItem(spec.Name); spec.Group == "algorithm" && !known {
			t.Errorf("%s is no algorithm", spec.Name)
		}
	}
}

// TestExamples parses the example of every item that is supported.
func TestExamples(t *testing.T) {
	for _, spec := range Items {
		if spec.Later {
			continue
		}
		text := Prefix
		if kind := spec.In[0]; kind != Rule {
			text = kind.String() + " "
		}
		text += spec.Name
		if spec.Value != Flag {
			text += "=" + spec.example()
		}
		if _, problems := Parse(text); len(problems) > 0 {
			t.Errorf("%s has the problems %v", text, problems)
		}
	}
}

// TestUnsupported is about every entry of the tables that cannot be used.
func TestUnsupported(t *testing.T) {
	for _, spec := range Items {
		if !spec.Later {
			continue
		}
		text := Prefix + "limit=3 window=1h " + spec.Name
		if spec.Value != Flag {
			text += "=" + spec.example()
		}
		d, problems := Parse(text)
		want := Problem{Off: len(Prefix + "limit=3 window=1h "), Text: spec.Name + " is not supported yet"}
		if len(problems) != 1 || problems[0] != want {
			t.Errorf("%s has the problems %v, want %v", text, problems, want)
		}
		if more := Check(d); len(more) > 0 {
			t.Errorf("%s has the further problems %v", text, more)
		}
	}
}

// TestItemsKeepTheirExtent is about items behind expressions.
func TestItemsKeepTheirExtent(t *testing.T) {
	d := parse(t, `when=a and limit == 3 cost=f(x, "limit=9") by=ip,user limit=4 window=1h`)
	for name, want := range map[string]string{"when": "a and limit == 3", "cost": `f(x, "limit=9")`, "by": "ip,user", "limit": "4", "window": "1h"} {
		if item, _ := d.Item(name); item.Value != want {
			t.Errorf("%s = %q, want %q", name, item.Value, want)
		}
	}
}
