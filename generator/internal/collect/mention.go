package collect

import (
	"bytes"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
)

// Mentions reports whether the text of a file may hold a directive or a
// comment that was meant for one. It looks at text alone, so it may take the
// inside of a string for a comment, but it misses nothing.
func Mentions(src []byte) bool {
	inBlock := false
	for line := range bytes.Lines(src) {
		if !inBlock && !bytes.Contains(line, []byte("//")) && !bytes.Contains(line, []byte("/*")) {
			continue
		}
		if bytes.ContainsAny(line, ":=") && mentions(string(bytes.TrimSpace(line)), inBlock) {
			return true
		}
		inBlock = endsInBlock(line, inBlock)
	}
	return false
}

func mentions(line string, inBlock bool) bool {
	if inBlock || strings.Contains(line, "/*") {
		return strings.Contains(strings.ToLower(line), "rate")
	}
	for rest := line; ; {
		i := strings.Index(rest, "//")
		if i < 0 {
			return false
		}
		if _, ok := near(rest[i:]); ok || directive.Is(rest[i:]) {
			return true
		}
		rest = rest[i+2:]
	}
}

// endsInBlock reports whether a block comment may be open at the end of line.
func endsInBlock(line []byte, inBlock bool) bool {
	opens, closes := bytes.LastIndex(line, []byte("/*")), bytes.LastIndex(line, []byte("*/"))
	if opens < 0 && closes < 0 {
		return inBlock
	}
	return opens > closes
}

// near asks the grammar whether a comment was meant for a directive. Indented
// code in a doc comment shows directives, it gives none.
func near(comment string) (hint string, ok bool) {
	if strings.HasPrefix(comment, "//\t") {
		return "", false
	}
	return directive.Near(comment)
}
