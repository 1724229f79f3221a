package directive

import (
	"strings"
	"unicode"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// areas are what the names of most zones begin with.
var areas = []string{"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}

// zoneLike returns the time zone that name is but for the case of its letters,
// what joins its words and the area before its city, or "".
func zoneLike(name string) string {
	words := capitals(spaced(name))
	for _, like := range []string{capitals(name), strings.ToUpper(name), words} {
		if like != name && isZone(like) {
			return like
		}
	}
	for _, area := range areas {
		if like := area + "/" + words; isZone(like) {
			return like
		}
	}
	return ""
}

func isZone(name string) bool { return rules.CheckZone(rules.Day, name) == nil }

// spaced puts underscores between the words of a name that something else, or
// a capital, separates.
func spaced(name string) string {
	var b strings.Builder
	small := false
	for _, r := range strings.ReplaceAll(name, "-", "_") {
		if small && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(r)
		small = unicode.IsLower(r)
	}
	return b.String()
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
