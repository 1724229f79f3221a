package reference_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/reference"
)

var update = flag.Bool("update", false, "rewrite the page")

const page = "../../../docs/directives.md"

func TestUpToDate(t *testing.T) {
	want, err := reference.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(page); err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/directives.md is not what the table of items says: go generate ./generator/internal/reference (%v)", err)
	}
}
