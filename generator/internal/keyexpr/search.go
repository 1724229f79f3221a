package keyexpr

import (
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"regexp"
	"regexp/syntax"
	"strconv"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

var searches = map[string]string{"contains": "Contains", "startsWith": "HasPrefix", "endsWith": "HasSuffix"}

// search is an operator that looks into a string. It does not find anything
// in nil.
func (c *compiler) search(n *ast.BinaryNode) *value {
	l, r, ok := c.binaryOperands(n)
	if !ok {
		return nil
	}
	for _, side := range []part{{n.Left, l}, {n.Right, r}} {
		if k := side.value.class(); k != texts && k != dynamic && !(n.Operator == "matches" && side.node == n.Left && isBytes(side.value.typ)) {
			return c.failf(side.node, "the operator %s looks into strings, not %s", n.Operator, c.describe(side.node, side.value))
		}
	}
	pattern, isPattern := c.pattern(n, r)
	if isPattern && pattern == nil {
		return nil
	}
	switch {
	case inProgram(l, r):
		return c.infixProgram(n, boolType, l, r)
	case len(l.guards) > 0 && len(r.guards) > 0:
		return c.infixProgram(n, boolType, l, r)
	}
	return c.whereThere(l, r, func(l, r *value) *value { return c.found(n, l, r, pattern) })
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Uint8])
}

// pattern returns the pattern of "matches" where it is a constant, nil when it
// reported that it is none.
func (c *compiler) pattern(n *ast.BinaryNode, r *value) (pattern *regexp.Regexp, isConstant bool) {
	if n.Operator != "matches" || r.val == nil {
		return nil, false
	}
	pattern, err := regexp.Compile(constant.StringVal(r.val))
	if err != nil {
		c.failf(n.Right, "%s is no pattern: %s", source(n.Right), patternFault(err))
	}
	return pattern, true
}

func (c *compiler) found(n *ast.BinaryNode, l, r *value, pattern *regexp.Regexp) *value {
	bytes := isBytes(l.typ)
	if l, r = c.searchable(n.Left, l), c.searchable(n.Right, r); l == nil || r == nil {
		return nil
	}
	switch {
	case n.Operator != "matches":
		return invoked(boolType, c.std("strings", searches[n.Operator]), l, r)
	case pattern != nil:
		return c.matchesPattern(n, l, pattern, bytes)
	}
	name := "MatchString"
	if bytes {
		name = "Match"
	}
	return c.attempted(invoked(boolType, c.std("regexp", name), r, l), "matched")
}

func (c *compiler) searchable(node ast.Node, v *value) *value {
	if isBytes(v.typ) {
		return v
	}
	return c.asString(node, v)
}

// matchesPattern uses a pattern that the package compiles once.
func (c *compiler) matchesPattern(n *ast.BinaryNode, l *value, pattern *regexp.Regexp, bytes bool) *value {
	compile := c.std("regexp", "MustCompile")
	global := c.global(n, "Pattern", "is what "+source(n.Left)+" has to match", func() *jen.Statement {
		return compile().Call(patternCode(pattern.String()))
	})
	if global == nil {
		return nil
	}
	name := "MatchString"
	if bytes {
		name = "Match"
	}
	return invoked(boolType, func() *jen.Statement { return jen.Id(global.Name).Dot(name) }, l)
}

// attempted is a call whose second result is an error, which leaves the
// function.
func (c *compiler) attempted(call *value, hint string) *value {
	v := *call
	v.steps, v.fails, v.simple, v.fresh, v.prec, v.hint = true, true, false, true, primary, hint
	v.code = func(b *block) *jen.Statement { return b.try(hint, call.code(b)) }
	return &v
}

// global returns a new variable of the package, or nil when it reported that
// there cannot be one.
func (c *compiler) global(node ast.Node, use, doc string, code func() *jen.Statement) *Global {
	if !c.scope.Globals {
		c.failAt(node, "%s is not supported yet", source(node))
		return nil
	}
	g := &Global{Use: use, Doc: doc, code: code}
	c.globals = append(c.globals, g)
	return g
}

// patternCode is the literal of a pattern, raw where one can be.
func patternCode(pattern string) *jen.Statement {
	if strconv.CanBackquote(pattern) {
		return jen.Id("`" + pattern + "`")
	}
	return jen.Lit(pattern)
}

// patternFault is what is wrong with a pattern.
func patternFault(err error) string {
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Sprintf("%s at %s", e.Code, strconv.Quote(e.Expr))
	}
	return err.Error()
}
