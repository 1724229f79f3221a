package directive

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		if hint, ok := near(" "+strings.TrimLeft(line, " \t*/"), "a directive is a line comment: write "); ok {
			return hint, true
		}
	}
	return "", false
}

func near(line, hint string) (string, bool) {
	c := cutComment(line)
	items := c.items
	if items == "" {
		items = "limit=3 window=60s"
	}
	return hint + Prefix + shorten(items), c.meant()
}

// comment is a line as it would be cut if it were meant for a directive.
type comment struct {
	typed bool   // nothing stands before the word, as in a directive
	tab   bool   // the line is indented as code in documentation is
	word  string // that should be ratelimit
	sep   string // what stands between it and the first item, blanks aside
	near  bool   // no blanks stand there
	items string
}

func cutComment(line string) comment {
	line = strings.Map(visible, strings.TrimRight(line, blanks+"\n"))
	c := comment{tab: strings.HasPrefix(line, "\t")}
	line, _ = strings.CutPrefix(line, "/") // a third slash, not a comment's
	text := strings.TrimLeft(line, " \t@+!#")
	text = strings.TrimPrefix(text, "go:")
	c.typed = text == line
	c.word, text = cutName(text)
	if left, item, ok := cutItem(c.word); ok && strings.HasPrefix(text, "=") {
		c.word, text = left, "-"+item+text
	}
	end := strings.IndexFunc(text, isWord)
	if end < 0 {
		end = len(text)
	}
	between := text[:end]
	c.sep, c.items = strings.Trim(between, blanks), text[end:]
	c.near = len(c.sep) == len(between)
	switch {
	case strings.HasPrefix(c.sep, "("): // an annotation
		c.items = strings.ReplaceAll(strings.TrimSuffix(c.items, ")"), ", ", " ")
	case c.typed && c.near && c.sep == "=" && isCount(c.items):
		c.sep, c.items = ":", "limit="+c.items
	}
	return c
}

// isCount reports whether text starts with a number and an item behind it.
func isCount(text string) bool {
	number, rest, _ := strings.Cut(text, " ")
	return numeric(number) && (startsWithItem(rest, true) || startsWithFlag(rest))
}

// visible drops what nobody sees.
func visible(r rune) rune {
	if unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// meant reports whether a line was meant for a directive. The better the word
// and what follows it, the less the other has to look like one.
func (c comment) meant() bool {
	exact := strings.EqualFold(c.word, "ratelimit") || strings.EqualFold(c.word, "ratelimitgen")
	adjacent := c.near && c.colon()
	switch {
	case !exact && !meansRatelimit(c.word) || utf8.RuneCountInString(c.sep) > 3:
		return false
	case c.tab:
		return exact && adjacent && startsWithWord(c.items)
	case startsWithItem(c.items, true):
		return true
	case !exact:
		return adjacent && startsWithWord(c.items)
	case c.colon():
		return c.begins() || adjacent && startsWithWord(c.items)
	}
	return c.sep == "" && (c.begins() || c.typed && startsWithWord(c.items))
}

// begins reports whether what follows an exact word begins as a directive
// does, or is nothing where the word stands in the place of one.
func (c comment) begins() bool {
	return startsWithItem(c.items, false) || startsWithFlag(c.items) || c.items == "skip" || c.typed && c.items == ""
}

// colon reports whether a colon separates the word from what follows, also one
// of another script.
func (c comment) colon() bool { return strings.ContainsAny(c.sep, ":：﹕︰∶꞉") }

// cutItem cuts the name of an item that a hyphen or an underscore joins to the
// word.
func cutItem(word string) (left, item string, ok bool) {
	i := strings.LastIndexAny(word, "-_")
	if i < 0 || !known(word[i+1:]) {
		return "", "", false
	}
	return word[:i], word[i+1:], true
}

// Loose returns the items of a comment that is no directive, such as the second
// line of one that was broken in two. With ok false it has none.
func Loose(comment string) (items string, ok bool) {
	items, line := strings.CutPrefix(comment, "//")
	items = strings.Trim(items, blanks)
	return items, line && (startsWithItem(items, true) || startsWithFlag(items))
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
	return isItem(name) && assigned(strings.TrimLeft(rest, blanks)) || isAlso(name) && assigned(rest)
}

// startsWithWord reports whether text starts with a misspelt item and its
// "=", with a flag that an item follows, or is the word of another directive.
func startsWithWord(text string) bool {
	if startsWithItem(text, false) || startsWithFlag(text) {
		return true
	}
	first, rest := cutName(text)
	_, kind := lookupKind(strings.ToLower(first))
	rest = strings.TrimLeft(rest, blanks)
	return kind && (rest == "" || strings.HasPrefix(rest, "//") || startsWithWord(rest))
}

// startsWithFlag reports whether text starts with a flag that an item follows.
func startsWithFlag(text string) bool {
	first, rest := cutName(text)
	rest = strings.TrimLeft(rest, blanks)
	spec, ok := Lookup(strings.ToLower(first))
	return ok && spec.Value == Flag && (startsWithItem(rest, false) || startsWithFlag(rest))
}

// isItem reports whether name is an item's, perhaps misspelt.
func isItem(name string) bool {
	names := make([]string, len(Items))
	for i, s := range Items {
		names[i] = s.Name
	}
	return suggest.Nearest(name, names) != ""
}

// isAlso reports whether others call an item by that name.
func isAlso(name string) bool {
	return slices.ContainsFunc(Items, func(s Spec) bool { return also(s.Name, name) })
}

func shorten(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "..."
	}
	return text
}
