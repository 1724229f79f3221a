package directive

import (
	"strings"
	"unicode"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// zoneLike returns the time zone that name is but for the case of its letters,
// or "".
func zoneLike(name string) string {
	for _, like := range []string{capitals(name), strings.ToUpper(name)} {
		if like != name && rules.CheckZone(rules.Day, like) == nil {
			return like
		}
	}
	return ""
}

// capitals writes each word of name with one capital, its first letter.
func capitals(name string) string {
	first := true
	return strings.Map(func(r rune) rune {
		start := first
		first = !unicode.IsLetter(r)
		if start {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, name)
}
