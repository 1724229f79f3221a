package directive

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const blanks = " \t\r"

func isBlank(c byte) bool { return strings.IndexByte(blanks, c) >= 0 }

// scanner walks over the text of one directive.
type scanner struct {
	text     string
	pos      int
	problems []Problem
	unread   bool // some of the text could not be told to be one item or another
}

func (s *scanner) problem(off int, format string, args ...any) {
	s.problems = append(s.problems, Problem{Off: off, Text: fmt.Sprintf(format, args...)})
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }

func (s *scanner) at(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

func (s *scanner) atBlank() bool { return !s.done() && isBlank(s.text[s.pos]) }

// atEnd reports whether nothing follows but a comment that a blank precedes.
func (s *scanner) atEnd() bool {
	return s.done() || s.at("//") && (s.pos == len(Prefix) || isBlank(s.text[s.pos-1]))
}

func (s *scanner) skipBlanks() {
	for s.atBlank() {
		s.pos++
	}
}

func (s *scanner) accept(c byte) bool {
	if s.done() || s.text[s.pos] != c {
		return false
	}
	s.pos++
	return true
}

// word reads the letters, digits and underscores at the scanner's place.
func (s *scanner) word() string {
	word := s.peekWord()
	s.pos += len(word)
	return word
}

func (s *scanner) peekWord() string {
	rest := s.text[s.pos:]
	if end := strings.IndexFunc(rest, notWord); end >= 0 {
		return rest[:end]
	}
	return rest
}

func notWord(r rune) bool { return !isWord(r) }

func isWord(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// stop reports what may not stand here outside of a string, and skips it.
func (s *scanner) stop(off int) {
	switch {
	case s.at("//"):
		s.unread = true
		s.problem(off, `a blank is missing before "//"`)
		s.pos = len(s.text)
	case s.at("/*"):
		s.unread = true
		s.problem(off, `"/*" starts no comment in a directive: write " //"`)
		s.pos = len(s.text)
	default:
		s.problem(off, "items are separated by blanks, not by %q", s.text[s.pos:s.pos+1])
		s.pos++
	}
}

// plainEnd returns where the plain value at off ends: at a blank, or at what
// may not stand outside of a string.
func plainEnd(text string, off int) int {
	for off < len(text) && !isBlank(text[off]) && !isSeparator(text[off]) {
		rest := text[off:]
		switch {
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			return off
		case isQuote(rest[0]):
			off, _ = stringEnd(text, off)
		default:
			off++
		}
	}
	return off
}

// isSeparator reports whether c is what people write between items.
func isSeparator(c byte) bool { return c == ',' || c == ';' }

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// stringEnd returns where the quoted string at off ends. With ok false it is
// not closed.
func stringEnd(text string, off int) (end int, ok bool) {
	q := text[off]
	for i := off + 1; i < len(text); i++ {
		switch {
		case text[i] == q:
			return i + 1, true
		case text[i] == '\\' && q != '`':
			i++
		}
	}
	return len(text), false
}

// skipValue moves behind the value of an item.
func (s *scanner) skipValue(kind Value) {
	switch {
	case kind.expression():
		s.skipExpression()
	case kind == Quoted:
		s.skipQuoted()
	case kind == WordList:
		s.skipList()
	default:
		s.pos = plainEnd(s.text, s.pos)
	}
}

func (s *scanner) skipList() {
	s.pos = plainEnd(s.text, s.pos)
	for s.at(",") {
		s.pos = plainEnd(s.text, s.pos+1)
	}
}

func (s *scanner) skipQuoted() {
	off := s.pos
	if s.atBlank() || s.atEnd() {
		return
	}
	if !isQuote(s.text[off]) {
		s.skipUnquoted()
		s.problem(off, "a text stands in quotes: write %q", strings.Trim(s.text[off:s.pos], blanks+"“”„‘’«»"))
		return
	}
	end, ok := stringEnd(s.text, off)
	if !ok {
		s.unread = true
		s.problem(off, "the quoted string is not closed")
	}
	s.pos = end
}

// skipUnquoted moves over words up to one that is an item.
func (s *scanner) skipUnquoted() {
	for {
		s.pos = plainEnd(s.text, s.pos)
		next := *s
		next.skipBlanks()
		if next.atEnd() || next.pos == s.pos || known(next.word()) {
			return
		}
		s.pos = next.pos
	}
}
