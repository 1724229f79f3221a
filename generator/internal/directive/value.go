package directive

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// readers check the value of an item and set what it means. They return what
// is wrong with it, or "".
var readers = map[Value]func(*Item) string{
	Key:        func(*Item) string { return "" },
	IntExpr:    readIntExpr,
	BoolExpr:   func(*Item) string { return "" },
	StringExpr: readStringExpr,
	Integer:    readInteger,
	Duration:   readWait,
	Window:     readWindow,
	Quoted:     readQuoted,
	Word:       readWord,
	WordList:   readWordList,
	WordOrFunc: readWordOrFunc,
	Name:       readName,
	Ident:      readIdent,
	Func:       readFunc,
	Zone:       readZone,
	Percent:    readText,
	Ban:        readText,
}

// example is a value for help.
func (s *Spec) example() string {
	switch {
	case s.Example != "":
		return s.Example
	case len(s.Words) > 0:
		return s.Words[0]
	}
	return "..."
}

func readText(item *Item) string {
	item.Const, item.Text = true, item.Value
	return ""
}

func readQuoted(item *Item) string {
	text, err := unquote(item.Value)
	switch {
	case err != nil:
		return fmt.Sprintf("%s has a broken quoted string: %v", item.Name, err)
	case text == "":
		return item.Name + " is empty"
	}
	item.Const, item.Text = true, text
	return ""
}

func readStringExpr(item *Item) string {
	if end, ok := 0, isQuote(item.Value[0]); ok {
		if end, _ = stringEnd(item.Value, 0); end == len(item.Value) {
			return readQuoted(item)
		}
	}
	return ""
}

func readWord(item *Item) string {
	text, quoted := bare(item.Value)
	switch {
	case !slices.Contains(item.Spec.Words, text):
		words := item.Spec.Words
		return fmt.Sprintf("%s is %s, not %s%s", item.Name, choice(words), item.Value, suggest.DidYouMean(text, words))
	case quoted:
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	return readText(item)
}

func readWordList(item *Item) string {
	if text, quoted := bare(item.Value); quoted {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	var seen []string
	for word := range strings.SplitSeq(item.Value, ",") {
		switch {
		case word == "":
			return fmt.Sprintf("the words of %s are joined by commas without blanks, as in %s", item.Name, item.Spec.wordList())
		case !slices.Contains(item.Spec.Words, word):
			return fmt.Sprintf("%s is made of %s, not %q%s", item.Name, choice(item.Spec.Words), word, suggest.DidYouMean(word, item.Spec.Words))
		case slices.Contains(seen, word):
			return fmt.Sprintf("%s names %s twice", item.Name, word)
		}
		seen = append(seen, word)
	}
	return readText(item)
}

// wordList is the item with two of its words.
func (s *Spec) wordList() string {
	last := len(s.Words) - 1
	return fmt.Sprintf("%s=%s,%s", s.Name, s.Words[last-1], s.Words[last])
}

func readWordOrFunc(item *Item) string {
	if slices.Contains(item.Spec.Words, item.Value) {
		return readWord(item)
	}
	if text, quoted := bare(item.Value); !quoted && !strings.Contains(text, "(") && !isFunc(text) {
		return fmt.Sprintf("%s is %s or the name of a method or function, not %s", item.Name, strings.Join(item.Spec.Words, ", "), item.Value)
	}
	return readFunc(item)
}

func readZone(item *Item) string {
	if text, quoted := bare(item.Value); quoted {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	return readText(item)
}

func readName(item *Item) string {
	text, quoted := bare(item.Value)
	fault := rules.CheckName(text)
	switch better := betterName(text); {
	case fault != nil && rules.CheckName(better) == nil:
		return fmt.Sprintf("%s %s; did you mean %s?", fault.Item, fault.Text, better)
	case fault != nil:
		return fault.Item + " " + fault.Text
	case quoted:
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	return readText(item)
}

// betterName is what is left of a name without the signs that it may not have.
func betterName(text string) string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '/' || r == ':' })
	for i, part := range parts {
		parts[i] = strings.Join(strings.FieldsFunc(part, notWord), "_")
	}
	return strings.Join(parts, ".")
}

func readIdent(item *Item) string {
	text, quoted := bare(item.Value)
	if quoted {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	if !token.IsIdentifier(item.Value) || item.Value == "_" {
		return fmt.Sprintf("%s is an identifier, not %s", item.Name, item.Value)
	}
	return readText(item)
}

func readFunc(item *Item) string {
	text, quoted := bare(item.Value)
	if quoted {
		return fmt.Sprintf("write %s=%s without quotes", item.Name, text)
	}
	if name, _, call := strings.Cut(text, "("); call && isFunc(name) {
		return fmt.Sprintf("%s names a method or function and does not call it: write %s=%s", item.Name, item.Name, name)
	}
	if !isFunc(text) {
		return fmt.Sprintf("%s is the name of a method or function, not %s%s", item.Name, item.Value, methodHint(item))
	}
	return readText(item)
}

// methodHint says how a method is written that is selected from something.
func methodHint(item *Item) string {
	last := item.Value[strings.LastIndexByte(item.Value, '.')+1:]
	if last == item.Value || !token.IsIdentifier(last) {
		return ""
	}
	return fmt.Sprintf("; a method of the type is written %s=%s", item.Name, last)
}

// isFunc reports whether s is an identifier, or two with a dot between them.
func isFunc(s string) bool {
	first, second, dotted := strings.Cut(s, ".")
	return token.IsIdentifier(first) && (!dotted || token.IsIdentifier(second))
}

// bare returns a value without the quotes that it should not have.
func bare(value string) (text string, quoted bool) {
	if isQuote(value[0]) {
		if text, err := unquote(value); err == nil && text != "" {
			return text, true
		}
	}
	return value, false
}

// choice lists words as "a, b or c".
func choice(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
