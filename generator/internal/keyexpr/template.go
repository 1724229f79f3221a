package keyexpr

import (
	"regexp"
	"slices"
)

// template matches a name as templates and other languages have it, such as
// ${userID}, {{.UserID}} or #userID.
var template = regexp.MustCompile(`^[#$@:]?(?:\{{1,2}\s*[.@]?)?([\pL_][\pL\d_]*)\s*\}{0,2}$`)

// placeholder is the name in scope that the source is in the way of a
// template, or "".
func (c *compiler) placeholder() string {
	match := template.FindStringSubmatch(c.text)
	if match == nil || match[1] == c.text {
		return ""
	}
	names := c.scope.names()
	i := slices.IndexFunc(names, func(name string) bool { return sameLetters(name, match[1]) })
	if i < 0 {
		return ""
	}
	return names[i]
}
