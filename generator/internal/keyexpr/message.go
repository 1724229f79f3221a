package keyexpr

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// syntaxError reports an error of expr's lexer or parser in the words of
// directives.
func (c *compiler) syntaxError(err error) {
	var e *file.Error
	if !errors.As(err, &e) {
		c.problem(0, "this is no valid expression")
		return
	}
	off := c.offset(e.Location)
	switch m := e.Message; {
	case strings.HasPrefix(m, "unexpected token EOF"), strings.HasPrefix(m, "unexpected end"):
		c.problem(len(strings.TrimRight(c.src, " \t\r")), "the expression is not complete")
	case strings.HasPrefix(m, "unexpected token") && strings.HasPrefix(c.src[off:], "#"):
		c.problem(off, predicateOnly+"%s", c.hiddenBuiltin(off))
	case strings.HasPrefix(m, "unexpected token"):
		c.problem(off, "unexpected %s", c.tokenText(e.Location))
	case strings.HasPrefix(m, "unrecognized character"):
		c.problem(off, "the character %q cannot stand in an expression", firstRune(c.src[off:]))
	case strings.HasPrefix(m, "bad number"):
		c.problem(off, "this is no number")
	case strings.HasPrefix(m, "invalid char escape"), strings.HasPrefix(m, "unable to unescape"):
		c.problem(off, "an escape in the quoted string is not known")
	case strings.HasPrefix(m, "unclosed comment"):
		c.problem(max(0, strings.Index(c.src, "/*")), "a comment cannot stand in an expression")
	case strings.HasPrefix(m, "expected name"):
		c.problem(c.afterDot(e.Location), "the name of a field or method must follow the dot")
	case strings.HasPrefix(m, "Operator ("):
		c.problem(off, "?? and %s need parentheses between them", c.tokenText(e.Location))
	case strings.Contains(m, "maximum allowed nodes"):
		c.problem(0, "the expression is too long")
	case strings.HasPrefix(m, "expected at least"):
		c.problem(off, "the call has too few arguments")
	default:
		c.problem(off, "this is no valid expression")
	}
}

// hiddenBuiltin tells of a call before an offset that looks like one of a
// builtin, whose name means something else.
func (c *compiler) hiddenBuiltin(off int) string {
	found := ""
	for _, t := range c.tokens {
		_, takesPredicate := predicates[t.Value]
		if t.Is(lexer.Identifier) && takesPredicate && c.scope.has(t.Value) && c.offset(t.Location) < off {
			found = fmt.Sprintf("; %s is not the builtin here, but a name of the program", t.Value)
		}
	}
	return found
}

// tokenText returns the source of the token at loc, in quotes.
func (c *compiler) tokenText(loc file.Location) string {
	end := c.offsets[max(0, min(loc.To, len(c.offsets)-1))]
	text := c.src[c.offset(loc):end]
	if text == "" || text[0] == '"' {
		return text
	}
	return `"` + text + `"`
}

// afterDot returns where the token before loc starts: the parser tells of a
// missing name one token late.
func (c *compiler) afterDot(loc file.Location) int {
	before := 0
	for _, t := range c.tokens {
		if t.From >= loc.From && !t.Is(lexer.EOF) {
			break
		}
		if !t.Is(lexer.EOF) {
			before = c.offset(t.Location)
		}
	}
	return before
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

// visible writes characters that cannot be seen, which a name in quotes may
// have, as Go does in a string.
func visible(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
