package layout

import (
	"strings"
	"unicode/utf8"
)

// sentences reports whether a group of comments is nothing but paragraphs of
// whole sentences, which gofmt leaves as they are: no heading, list, code, link
// or directive.
func sentences(group string) bool {
	last := "//"
	for line := range strings.SplitSeq(group, "\n") {
		blank := line == "//"
		if blank && (last == "//" || !strings.HasSuffix(last, ".")) || !blank && !plain(line) {
			return false
		}
		last = line
	}
	return strings.HasSuffix(last, ".")
}

// plain reports whether a line is one of a paragraph, in whatever place.
func plain(line string) bool {
	text, ok := strings.CutPrefix(line, "// ")
	if !ok || text == "" || !utf8.ValidString(text) {
		return false
	}
	starts := letter(text[0]) || text[0] == '"' || text[0] == '('
	return starts && !strings.HasSuffix(text, " ") && !strings.ContainsAny(text, "[`'\t\r\\{") && !strings.Contains(text, "://")
}
