package layout

import (
	"go/token"
	"strings"
	"unicode/utf8"
)

// note is the class of a comment that gofmt may change.
const note = 'c'

// lexer divides source into pieces.
type lexer struct {
	src   string
	pos   int
	line  int  // on which pos is, from 0
	lines int  // that end in the blanks before pos
	top   bool // pos is outside of brackets
}

// skip skips blanks.
func (l *lexer) skip() {
	l.lines = 0
	for ; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '\n':
			l.lines++
		case ' ', '\t':
		default:
			l.line += l.lines
			return
		}
	}
}

// next reads a piece, and returns its class, 0 for what is none.
func (l *lexer) next() byte {
	switch c := l.src[l.pos]; {
	case letter(c):
		return l.name()
	case digit(c):
		return l.number()
	case c == '"' || c == '\'':
		return l.quoted(c)
	case c == '`':
		return l.raw()
	case strings.HasPrefix(l.src[l.pos:], "//"):
		return l.comment()
	case strings.HasPrefix(l.src[l.pos:], "/*"):
		return 0
	}
	n := operator(l.src[l.pos:])
	if n == 0 {
		return 0
	}
	l.pos += n
	return fixed
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func (l *lexer) name() byte {
	start := l.pos
	for l.pos < len(l.src) && (letter(l.src[l.pos]) || digit(l.src[l.pos])) {
		l.pos++
	}
	if token.IsKeyword(l.src[start:l.pos]) {
		return fixed
	}
	return word
}

// number reads a number. One with letters may be written otherwise by gofmt.
func (l *lexer) number() byte {
	class := byte(number)
	for ; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case letter(c) || c == '.':
			class = fixed
		case !digit(c):
			return class
		}
	}
	return class
}

func (l *lexer) quoted(by byte) byte {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch l.src[l.pos] {
		case '\n':
			return 0
		case '\\':
			l.pos++
		case by:
			l.pos++
			return quoted
		}
	}
	return 0
}

// raw reads a raw string. One of several lines counts.
func (l *lexer) raw() byte {
	n := strings.IndexByte(l.src[l.pos+1:], '`')
	if n < 0 {
		return 0
	}
	lines := strings.Count(l.src[l.pos:l.pos+1+n], "\n")
	l.pos += n + 2
	l.line += lines
	if lines > 0 {
		return fixed
	}
	return quoted
}

// comment reads a comment; outside of brackets with those on the lines below.
func (l *lexer) comment() byte {
	start := l.pos
	for {
		l.pos += lineEnd(l.src[l.pos:])
		if !l.top || !strings.HasPrefix(l.src[l.pos:], "\n//") {
			break
		}
		l.pos++
		l.line++
	}
	switch text := l.src[start:l.pos]; {
	case prosaic(text):
		return prose
	case strings.Contains(text, "//go:build ") || strings.Contains(text, "// +build "): // gofmt may move it
		return 0
	}
	return note
}

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// operator is how long the operator or bracket is that s starts with.
func operator(s string) int {
	if strings.IndexByte("()[]{},;~", s[0]) >= 0 {
		return 1
	}
	for n := min(3, len(s)); n > 1; n-- {
		if strings.IndexByte("=&|^<>+-.", s[n-1]) >= 0 && operators[s[:n]] {
			return n
		}
	}
	if strings.IndexByte("+-*/%&|^<>=!.:", s[0]) >= 0 {
		return 1
	}
	return 0
}

var operators = map[string]bool{
	"<<=": true, ">>=": true, "&^=": true, "...": true,
	"<<": true, ">>": true, "&^": true, "&&": true, "||": true, "<-": true, "++": true, "--": true,
	"+=": true, "-=": true, "*=": true, "/=": true, "%=": true, "&=": true, "|=": true, "^=": true,
	"==": true, "!=": true, "<=": true, ">=": true, ":=": true,
}
