package main

import (
	"fmt"
	"path"
	"strings"
)

// idle tells of a run without directives, which would pass for one that is
// content: the packages that have them may be others.
func idle(packages, patterns []string) string {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	if len(packages) > 1 {
		return fmt.Sprintf("no directives in the %d packages of %s", len(packages), strings.Join(patterns, " "))
	}
	text := "no directives in " + packages[0]
	if len(patterns) == 1 && !strings.Contains(patterns[0], "...") {
		text += fmt.Sprintf("; did you mean %s?", below(patterns[0]))
	}
	return text
}

// below is the pattern for a folder, or for that of a file, and all in it.
func below(pattern string) string {
	if strings.HasSuffix(pattern, ".go") {
		pattern = path.Dir(pattern)
		if !path.IsAbs(pattern) && !strings.HasPrefix(pattern, ".") {
			pattern = "./" + pattern
		}
	}
	return strings.TrimRight(pattern, "/") + "/..."
}
