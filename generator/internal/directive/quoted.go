package directive

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns what a quoted string means: Go's syntax, and single quotes
// as double ones.
func unquote(s string) (string, error) {
	if end, ok := stringEnd(s, 0); !ok || end != len(s) {
		return "", errors.New("it has no closing quote")
	}
	if s[0] == '\'' {
		s = doubleQuoted(s)
	}
	text, err := strconv.Unquote(s)
	switch {
	case err != nil:
		return "", errors.New("an escape is none of Go's")
	case !utf8.ValidString(text):
		return "", errors.New("it is no valid UTF-8")
	}
	return text, nil
}

// doubleQuoted makes a string in single quotes one in double quotes.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 1; i < len(s)-1; i++ {
		switch {
		case s[i] == '"':
			b.WriteString(`\"`)
		case s[i] == '\\' && s[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case s[i] == '\\':
			b.WriteString(s[i : i+2])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	b.WriteByte('"')
	return b.String()
}
