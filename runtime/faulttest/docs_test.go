package faulttest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var logged = regexp.MustCompile("\"((?:shadow |environment |)(?:rate limit|variable) [^\"]*)\"")

// TestEveryRecordIsExplained looks for the texts of all records in the
// documentation.
func TestEveryRecordIsExplained(t *testing.T) {
	explained, err := os.ReadFile(operations)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "../errors.go" {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range logged.FindAllSubmatch(source, -1) {
			found++
			if !strings.Contains(string(explained), "`"+string(match[1])+"`") {
				t.Errorf("%s does not explain %q of %s", operations, match[1], name)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d records found", found)
	}
}
