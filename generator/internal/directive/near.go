package directive

import (
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// Near recognises a comment, as go/ast holds it, that was meant to be a
// directive but is none, as typed or as gofmt leaves it, such as
// "// ratelimit:key=id", "//rate_limit:skip" or a directive in a block
// comment. The hint says what to write instead. It is false for directives,
// for prose, and for directives that a second "//" takes out of service.
func Near(comment string) (hint string, ok bool) {
	if Is(comment) {
		return "", false
	}
	if line, ok := strings.CutPrefix(comment, "//"); ok {
		return near(line, "this is no directive yet: write ")
	}
	body, _ := strings.CutPrefix(comment, "/*")
	for line := range strings.Lines(strings.TrimSuffix(body, "*/")) {
		if hint, ok := near(strings.TrimLeft(line, " \t*/"), "a directive is a line comment: write "); ok {
			return hint, true
		}
	}
	return "", false
}

func near(line, hint string) (string, bool) {
	line = strings.TrimRight(strings.TrimLeft(line, " \t@+"), blanks+"\n")
	word, rest := cutName(line)
	if !meansRatelimit(word) {
		return "", false
	}
	items, colon := strings.CutPrefix(rest, ":")
	start := strings.TrimLeft(items, blanks)
	meant := startsWithItem(start, true)
	switch {
	case strings.EqualFold(word, "ratelimit"):
		meant = startsWithItem(start, false) || colon && start == items && startsWithWord(start)
	case colon:
		meant = meant || start == items && startsWithWord(start)
	}
	return hint + Prefix + shorten(start), meant
}

// cutName cuts the first word, which may be written "rate limit" or
// "rate-limit".
func cutName(line string) (word, rest string) {
	const rate = "rate "
	if len(line) > len(rate) && strings.EqualFold(line[:len(rate)], rate) {
		second, rest := cutName(line[len(rate):])
		return line[:len(rate)] + second, rest
	}
	end := strings.IndexFunc(line, func(r rune) bool { return notWord(r) && r != '-' })
	if end < 0 {
		return line, ""
	}
	return line[:end], line[end:]
}

func meansRatelimit(word string) bool {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(word))
	return suggest.Distance(plain, "ratelimit") <= 2
}

// startsWithItem reports whether text starts with an item and its "=",
// strictly so: well spelt and without a blank.
func startsWithItem(text string, strict bool) bool {
	name, rest := cutName(text)
	if strict {
		return known(name) && assigned(rest) && len(rest) > 1 && !isBlank(rest[1])
	}
	return isItem(name) && assigned(strings.TrimLeft(rest, blanks))
}

// startsWithWord reports whether text starts with a misspelt item and its
// "=", with a flag that an item follows, or is the word of another directive.
func startsWithWord(text string) bool {
	first, rest := cutName(text)
	if startsWithItem(text, false) {
		return true
	}
	if spec, ok := Lookup(strings.ToLower(first)); ok && spec.Value == Flag {
		return startsWithWord(strings.TrimLeft(rest, blanks))
	}
	_, kind := lookupKind(strings.ToLower(first))
	rest = strings.TrimLeft(rest, blanks)
	return kind && (rest == "" || strings.HasPrefix(rest, "//") || startsWithItem(rest, false))
}

// isItem reports whether name is an item's, perhaps misspelt.
func isItem(name string) bool {
	names := make([]string, len(Items))
	for i, s := range Items {
		names[i] = s.Name
	}
	return suggest.Nearest(name, names) != ""
}

func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}
