package rules

import (
	"strings"
	"unicode"
)

func dotted(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !word(part) {
			return false
		}
	}
	return true
}

func word(s string) bool {
	for _, r := range s {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return s != ""
}
