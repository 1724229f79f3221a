package directive

import (
	"strings"
	"unicode/utf8"
)

// joiners are the words that continue an expression after an operand.
var joiners = map[string]bool{
	"and": true, "or": true, "not": true, "in": true,
	"matches": true, "contains": true, "startsWith": true, "endsWith": true,
}

var statements = map[string]string{
	"if":   "write condition ? a : b",
	"else": "write condition ? a : b",
	"let":  "an expression has no variables of its own",
}

// extent finds where an expression ends, without parsing it.
type extent struct {
	*scanner
	open    []int // offsets of the brackets that are open
	operand bool  // an operand is complete: an operator or the end may follow
	member  bool  // a dot precedes: a word is a name, whatever it is
	not     bool  // "not" precedes, which may be the first half of an operator
}

// skipExpression moves behind the expression at the scanner's place, and over
// blanks only when more of it follows them.
func (s *scanner) skipExpression() {
	e := &extent{scanner: s}
	start := s.pos
	for !e.ends() {
		e.token()
	}
	for _, off := range e.open {
		if s.pos > start {
			s.problem(off, "the bracket %q is not closed", s.text[off])
		}
	}
}

func (e *extent) ends() bool {
	if e.done() || e.at("//") || e.at("/*") || len(e.open) == 0 && isSeparator(e.text[e.pos]) {
		return true
	}
	if !e.atBlank() {
		return e.endsAtWord(false)
	}
	next := *e.scanner
	next.skipBlanks()
	ahead := *e
	ahead.scanner = &next
	if next.atEnd() || next.at("/*") || ahead.endsAtWord(true) {
		return true
	}
	e.skipBlanks()
	return false
}

// endsAtWord reports whether the expression ends before what stands here.
func (e *extent) endsAtWord(afterBlank bool) bool {
	word := e.peekWord()
	complete := e.operand && len(e.open) == 0
	switch {
	case word == "":
		return complete && afterBlank && isQuote(e.text[e.pos])
	case assigned(e.text[e.pos+len(word):]):
		return afterBlank || e.operand || known(word)
	}
	return complete && afterBlank && !joiners[word] && statements[word] == ""
}

// assigned reports whether rest starts with a single "=".
func assigned(rest string) bool {
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

func (e *extent) token() {
	c := e.text[e.pos]
	switch {
	case isQuote(c):
		e.quoted()
	case strings.IndexByte("([{", c) >= 0:
		e.open = append(e.open, e.pos)
		e.operator(1)
	case strings.IndexByte(")]}", c) >= 0:
		e.closing()
	case c == ';':
		e.problem(e.pos, `";" cannot stand in an expression`)
		e.operator(1)
	case e.peekWord() != "":
		e.name()
	default:
		e.symbol()
	}
}

func (e *extent) quoted() {
	end, ok := stringEnd(e.text, e.pos)
	if !ok {
		e.unread = true
		e.problem(e.pos, "the quoted string is not closed")
		e.open = nil
	}
	e.pos, e.operand, e.member, e.not = end, true, false, false
}

func (e *extent) closing() {
	last := len(e.open) - 1
	if last >= 0 && pair(e.text[e.open[last]], e.text[e.pos]) {
		e.open = e.open[:last]
	} else {
		e.problem(e.pos, "the bracket %q closes none", e.text[e.pos])
	}
	e.operator(1)
	e.operand = true
}

func pair(open, closed byte) bool {
	return open == '(' && closed == ')' || open == '[' && closed == ']' || open == '{' && closed == '}'
}

func (e *extent) name() {
	off := e.pos
	word := e.word()
	hint := statements[word]
	if hint != "" && !e.member {
		e.problem(off, "%q cannot stand in an expression: %s", word, hint)
	}
	operator := !e.member && (hint != "" || e.joins(word))
	quoted := !e.done() && isQuote(e.text[e.pos]) // as in b"bytes"
	e.operand, e.member, e.not = !operator && !quoted, false, operator && word == "not"
}

// joins reports whether a word is an operator here and not a name that reads
// like one, such as a parameter called in.
func (e *extent) joins(word string) bool {
	return joiners[word] && (e.operand || e.not || word == "not")
}

func (e *extent) symbol() {
	_, size := utf8.DecodeRuneInString(e.text[e.pos:])
	switch {
	case e.at("=="), e.at("!="), e.at("<="), e.at(">="):
		e.operator(2)
	case e.at("="):
		e.problem(e.pos, `a single "=" cannot stand in an expression: "==" compares`)
		e.operator(1)
	case e.at("#"):
		e.operator(1)
		e.operand = true
	case e.at("."):
		e.operator(1)
		e.member = true
	default:
		e.operator(size)
	}
}

// operator moves over size bytes that an operand may follow.
func (e *extent) operator(size int) {
	e.pos += size
	e.operand, e.member, e.not = false, false, false
}
