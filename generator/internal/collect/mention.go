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
		comment := inBlock || bytes.Contains(line, []byte("//")) || bytes.Contains(line, []byte("/*"))
		if comment && suspect(line) && mentions(string(bytes.TrimSpace(line)), inBlock) {
			return true
		}
		inBlock = endsInBlock(line, inBlock)
	}
	return false
}

// suspect reports whether a line has the sign of an item or the word of a
// directive.
func suspect(line []byte) bool {
	return bytes.ContainsAny(line, ":=") || bytes.Contains(bytes.ToLower(line), []byte("ratelimit"))
}

func mentions(line string, inBlock bool) bool {
	if inBlock && inComment("/*"+line) {
		return true
	}
	for rest := line; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return false
		}
		if inComment(rest[i:]) {
			return true
		}
		rest = rest[i+1:]
	}
}

// inComment asks the grammar whether what starts here was meant for a
// directive, if it is a comment.
func inComment(text string) bool {
	if !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "/*") {
		return false
	}
	_, ok := directive.Near(text)
	return ok || directive.Is(text)
}

// endsInBlock reports whether a block comment may be open at the end of line.
func endsInBlock(line []byte, inBlock bool) bool {
	opens, closes := bytes.LastIndex(line, []byte("/*")), bytes.LastIndex(line, []byte("*/"))
	if opens < 0 && closes < 0 {
		return inBlock
	}
	return opens > closes
}
