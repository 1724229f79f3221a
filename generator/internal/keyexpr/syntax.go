package keyexpr

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/parser/lexer"
)

// maxSource bounds the source of an expression, in bytes, and with it the
// depth to which a parser recurses.
const maxSource = 8 << 10

// operatorWords are names in Go but operators in expressions.
var operatorWords = map[string]bool{
	"in": true, "and": true, "or": true,
	"matches": true, "contains": true, "startsWith": true, "endsWith": true,
}

// parse reads the source into c.root. With false it reported why it cannot.
func (c *compiler) parse() bool {
	if !c.checkSource() {
		return false
	}
	c.offsets = runeOffsets(c.src)
	if name := c.placeholder(); name != "" {
		c.problem(strings.Index(c.src, c.text), "%s is no expression: write %s", c.text, name)
		return false
	}
	tokens, err := lexer.Lex(file.NewSource(c.src))
	if err != nil {
		c.syntaxError(err)
		return false
	}
	c.tokens = tokens
	if !c.checkComments() || !c.checkTokens() {
		return false
	}
	tree, err := c.parseTree(c.withoutOperatorNames())
	if err != nil {
		c.syntaxError(err)
		return false
	}
	c.root = tree.Node
	return true
}

func (c *compiler) checkSource() bool {
	trimmed := strings.TrimSpace(c.src)
	c.text = trimmed
	switch bad := strings.IndexByte(c.src, '\n'); {
	case trimmed == "":
		c.problem(0, "the expression is empty")
	case len(c.src) > maxSource:
		c.problem(0, "the expression is longer than %d bytes", maxSource)
	case bad >= 0:
		c.problem(bad, "an expression is one line")
	case !utf8.ValidString(c.src):
		c.problem(invalidUTF8(c.src), "this is no valid UTF-8")
	default:
		return c.checkQuotes()
	}
	return false
}

func invalidUTF8(s string) int {
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			return i
		}
	}
	return 0
}

// checkQuotes reports a string that is not closed at its start.
func (c *compiler) checkQuotes() bool {
	open := -1
	for i := 0; i < len(c.src); i++ {
		b := c.src[i]
		switch {
		case open < 0 && (b == '"' || b == '\'' || b == '`'):
			open = i
		case open >= 0 && b == c.src[open]:
			open = -1
		case open >= 0 && b == '\\' && c.src[open] != '`':
			i++
		}
	}
	if open >= 0 {
		c.problem(open, "the quoted string is not closed")
	}
	return open < 0
}

// checkComments reports what the lexer takes for a comment, and so skips.
func (c *compiler) checkComments() bool {
	end := 0
	for _, t := range c.tokens {
		from, to := c.offset(t.Location), c.offsets[min(t.To, len(c.offsets)-1)]
		if t.Is(lexer.EOF) {
			from = len(c.src)
		}
		if at := strings.IndexByte(c.src[min(end, from):from], '/'); at >= 0 {
			c.problem(end+at, "a comment cannot stand in an expression")
			return false
		}
		end = to
	}
	return true
}

// checkTokens reports what the parser knows and expressions do not have.
func (c *compiler) checkTokens() bool {
	for i, t := range c.tokens {
		member := i > 0 && c.tokens[i-1].Is(lexer.Operator, ".", "?.")
		if t.Is(lexer.Operator, "not") && !member && c.scope.has("not") && c.operandAt(i) {
			c.problem(c.offset(t.Location), "not is an operator in an expression: give the parameter another name to use it")
			return false
		}
		if text := refused(t); text != "" && !member {
			c.problem(c.offset(t.Location), "%s", text)
			return false
		}
	}
	return true
}

// operandAt reports whether the word not stands where a name would, in a
// package that has it as one.
func (c *compiler) operandAt(i int) bool {
	if i > 0 && endsOperand(c.tokens[i-1]) {
		return false
	}
	next := c.tokens[i+1]
	return next.Is(lexer.EOF) || next.Is(lexer.Bracket, ")", "]", "}") || next.Is(lexer.Operator) && !next.Is(lexer.Operator, "not", "!") && !operatorWords[next.Value]
}

func refused(t lexer.Token) string {
	switch {
	case t.Is(lexer.Operator, ";"):
		return `";" cannot stand in an expression`
	case t.Is(lexer.Operator, "="):
		return `a single "=" cannot stand in an expression: "==" compares`
	case t.Is(lexer.Operator, "let"):
		return `"let" cannot stand in an expression: it has no variables of its own`
	case t.Is(lexer.Operator, "if", "else"):
		return strconv.Quote(t.Value) + " cannot stand in an expression: write condition ? a : b"
	case t.Is(lexer.Operator, "::"):
		return `"::" cannot stand in an expression`
	case t.Is(lexer.Identifier) && strings.Contains(t.Value, "$"):
		return t.Value + ` is no name: "$" cannot stand in one`
	case t.Is(lexer.Number):
		return refusedNumber(t.Value)
	}
	return ""
}

// refusedNumber says what is wrong with a number, of which the parser would
// tell at the token behind it.
func refusedNumber(s string) string {
	digits := strings.ToLower(strings.ReplaceAll(s, "_", ""))
	prefixed := strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0b") || strings.HasPrefix(digits, "0o")
	if !prefixed && strings.ContainsAny(digits, ".e") {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil || math.IsInf(f, 0) {
			return s + " is no number, or too large"
		}
		return ""
	}
	base := 10
	if prefixed {
		base = 0
	}
	_, err := strconv.ParseInt(digits, base, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return s + " is too large for an int64"
	case err != nil:
		return s + " is no number"
	}
	return ""
}

// withoutOperatorNames returns the source with those names replaced that the
// lexer takes for operators where only an operand can stand, such as a
// parameter called in. parseTree puts them back.
func (c *compiler) withoutOperatorNames() string {
	c.renamed = make(map[int]string)
	src := []rune(c.src)
	operand := false
	for i, t := range c.tokens {
		dot := i > 0 && c.tokens[i-1].Is(lexer.Operator, ".", "?.")
		not := i > 0 && c.tokens[i-1].Is(lexer.Operator, "not")
		name := t.Is(lexer.Operator) && operatorWords[t.Value] && !operand && !dot && !not
		if name {
			c.renamed[t.From] = t.Value
			for r := t.From; r < t.To; r++ {
				src[r] = 'ª'
			}
		}
		operand = name || dot || endsOperand(t)
	}
	return string(src)
}

func endsOperand(t lexer.Token) bool {
	return !t.Is(lexer.Operator) && !t.Is(lexer.Bracket, "(", "[", "{") || t.Is(lexer.Operator, "#")
}

// parseTree parses src, in which calls of names that the scope has are no
// calls of builtins.
func (c *compiler) parseTree(src string) (tree *parser.Tree, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the expression cannot be parsed")
		}
	}()
	config := &conf.Config{MaxNodes: conf.DefaultMaxNodes, Functions: conf.FunctionsTable{}}
	for _, t := range c.tokens {
		if i, ok := builtin.Index[t.Value]; ok && c.scope.has(t.Value) {
			config.Functions[t.Value] = builtin.Builtins[i]
		}
	}
	if tree, err = parser.ParseWithConfig(src, config); err == nil {
		ast.Walk(&tree.Node, c)
	}
	return tree, err
}

// Visit gives a name that was replaced for the parser its own back.
func (c *compiler) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		if name := c.renamed[id.Location().From]; name != "" {
			id.Value = name
		}
	}
}

// runeOffsets returns the byte offset of each rune of s, and of its end.
func runeOffsets(s string) []int {
	offsets := make([]int, 0, len(s)+1)
	for i := range s {
		offsets = append(offsets, i)
	}
	return append(offsets, len(s))
}

// offset returns the byte offset of a location, which counts runes.
func (c *compiler) offset(loc file.Location) int {
	return c.offsets[max(0, min(loc.From, len(c.offsets)-1))]
}
