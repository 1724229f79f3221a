package faulttest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	logged = regexp.MustCompile(`"((?:shadow |environment |)(?:rate limit|variable) [^"]*)"`)
	failed = regexp.MustCompile(`(?:errors\.New\(|return )"([^"]+)"`)
	quoted = regexp.MustCompile("[`\"]([a-z][a-z']* [a-z' ]+)[`\"]")
)

// sources returns the program text of packages, by file.
func sources(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				all[name] = read(t, name)
			}
		}
	}
	return all
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryRecordIsExplained looks for the texts of all records in the
// documentation.
func TestEveryRecordIsExplained(t *testing.T) {
	explained, found := read(t, operations), 0
	for name, source := range sources(t, "../*.go") {
		if name == "../errors.go" {
			continue
		}
		for _, match := range logged.FindAllStringSubmatch(source, -1) {
			found++
			if !strings.Contains(explained, "`"+match[1]+"`") {
				t.Errorf("%s does not explain %q of %s", operations, match[1], name)
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d records found", found)
	}
}

// TestEveryCauseIsExplained looks for the texts that the store gives to answers
// which do not come.
func TestEveryCauseIsExplained(t *testing.T) {
	explained, found := read(t, operations), 0
	for name, source := range sources(t, "../redisstore/late.go", "../redisstore/cause.go", "../redisstore/dispatcher.go") {
		for _, match := range failed.FindAllStringSubmatch(source, -1) {
			text := strings.TrimSuffix(match[1], ": ")
			if strings.HasPrefix(text, "redisstore: ") { // of one who has closed it
				continue
			}
			found++
			if !strings.Contains(explained, "`"+text) {
				t.Errorf("%s does not explain %q of %s", operations, text, name)
			}
		}
	}
	if found < 3 {
		t.Errorf("only %d texts found", found)
	}
}

// TestSymptomsAreThoseOfTheCode looks for what is quoted to search the log for.
func TestSymptomsAreThoseOfTheCode(t *testing.T) {
	_, section, _ := strings.Cut(read(t, operations), "## At three in the morning")
	section, _, _ = strings.Cut(section, "\n## ")
	code := ""
	for _, source := range sources(t, "../*.go", "../redisstore/*.go") {
		code += source
	}
	found := 0
	for _, match := range quoted.FindAllStringSubmatch(section, -1) {
		if match[1] == "max number of clients" { // Redis's
			continue
		}
		found++
		if !strings.Contains(code, match[1]) {
			t.Errorf("%s speaks of %q, which the code does not", operations, match[1])
		}
	}
	if found < 8 {
		t.Errorf("only %d symptoms found", found)
	}
}
