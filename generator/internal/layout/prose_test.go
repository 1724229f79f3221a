package layout

import (
	"go/format"
	"math/rand/v2"
	"strings"
	"testing"
)

// lines are what comments are made of here, behind the slashes.
var lines = []string{
	"", " A sentence.", " a part of one,", " Heading", " # Heading", " - item.", " 1. item.", "  * item.", " • item.",
	"  indented.", "\tcode()", " [X]: https://example.com", " see [X].", " see https://example.com.", " ``quoted''.", " it's.",
	"   - item", "   - another.", "   - one more", "     continued.", " so:", " a [list, b] of.", " a `b` c.", " the last:", "   - 1 thing", "   - 2  x.", "   - 3. x.", "   - 4) x", "   - 5x.", "   - 6", "   - - x", "   -  y", "   - [x]: y",
	" if x {", " }", " trailing. ", "go:noinline", " (in brackets).", " \"quoted\": so.", "   ", " ümlaut.", " Deprecated: not at all.",
}

// TestProsaic makes comments of all kinds, and looks whether gofmt leaves those
// as they are that are said to be prosaic.
func TestProsaic(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	found := map[bool]int{}
	for range 30000 {
		var group []string
		for range 1 + random.IntN(7) {
			group = append(group, "//"+lines[random.IntN(len(lines))])
		}
		text := strings.Join(group, "\n")
		found[prosaic(text)]++
		if !prosaic(text) {
			continue
		}
		src := "package p\n\n" + text + "\nvar x int\n"
		if got, err := format.Source([]byte(src)); err != nil || string(got) != src {
			t.Fatalf("gofmt makes %s of %s: %v", got, src, err)
		}
	}
	if found[true] < 300 || found[false] < 500 {
		t.Errorf("%d prosaic, %d others", found[true], found[false])
	}
}

// TestComments has comments where they count.
func TestComments(t *testing.T) {
	t.Parallel()
	for _, src := range []string{
		"package p\n\n// A.\nvar x int\n\n// One more.\nvar y int\n",
		"package p\n\n// A.\n  // B.\nvar x int\n\n// One.\n// Two.\nvar y int\n\n// One.\n  // Two.\nvar y int\n",
		"package p\n\n// Heading\nvar x int\n\n// Other heading\nvar y int\n",
		"package p\n\nvar x int // a\nvar longer int // b\n\nvar longest int // a\nvar y int // b\n",
		"package p\n\nfunc f() {\n// A.\n// B.\nf()\n}\n\nfunc g() {\n// C.\n// D.\ng()\n}\n",
		"package p\n\n// A.\n\n// B.\n\n// C.\n",
		"package p\n\n/* A. */\nvar x int\n",
		"package p\n\nvar x = `\n`\n\nvar yy = `\n\n`\n",
		"// A.\n\npackage p\n",
		"package p\n\nvar x = [...]int{1: 2,\n3: 4,\n}\n\nvar x = [...]int{10: 2,\n3: 4,\n}\n",
		"", "package p", "package p\n\nfunc (\n", "package p\n\nvar x = \"\n", "package p\n\n}\n", "package p\n\nvar $ int\n",
	} {
		same(t, src, src)
	}
}
