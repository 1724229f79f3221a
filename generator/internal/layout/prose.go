package layout

import (
	"strings"
	"unicode/utf8"
)

// prosaic reports whether a group of comments is paragraphs and lists in the
// form in which gofmt leaves them: no heading, code, definition of a link or
// directive.
func prosaic(group string) bool {
	last, before := blankLine, blankLine // kinds of lines
	ends := true                         // the paragraph so far cannot be a heading
	for line := range strings.SplitSeq(group, "\n") {
		kind := kindOf(line)
		switch {
		case kind == oddLine:
			return false
		case kind == blankLine && (last == blankLine || !ends):
			return false
		case kind == itemLine && last == blankLine && before != textLine:
			return false
		case kind == textLine && last == itemLine:
			return false
		}
		ends = kind != textLine || strings.HasSuffix(line, ".") || strings.HasSuffix(line, ":")
		last, before = kind, last
	}
	return last != blankLine && ends
}

// kind is what a line of a comment is.
type kind int

const (
	blankLine kind = iota
	textLine
	itemLine
	oddLine
)

func kindOf(line string) kind {
	if line == "//" {
		return blankLine
	}
	if text, ok := strings.CutPrefix(line, "//   - "); ok && plain(withoutNumber(text)) {
		return itemLine
	}
	if text, ok := strings.CutPrefix(line, "// "); ok && plain(text) {
		return textLine
	}
	return oddLine
}

// withoutNumber is the text of an item without a number that it starts with.
func withoutNumber(text string) string {
	if rest := strings.TrimLeft(text, "0123456789"); rest != text {
		return strings.TrimPrefix(rest, " ")
	}
	return text
}

// plain reports whether gofmt leaves the text of a line alone.
func plain(text string) bool {
	if text == "" || !utf8.ValidString(text) {
		return false
	}
	starts := letter(text[0]) || text[0] == '"' || text[0] == '('
	return starts && !strings.HasSuffix(text, " ") && !strings.ContainsAny(text, "\t\r\\{") &&
		!strings.Contains(text, "``") && !strings.Contains(text, "''")
}
