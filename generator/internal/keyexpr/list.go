package keyexpr

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// separator stands between the parts of a list.
const separator = ","

// escapes writes a part of a list as the runtime's Part does.
var escapes = strings.NewReplacer(`\`, `\\`, separator, `\`+separator)

// finishList is a key of several parts.
func (c *compiler) finishList(expr *Expr, n *ast.ArrayNode) {
	if len(n.Nodes) == 0 {
		c.failf(n, "the list has no parts")
		return
	}
	var pieces []Piece
	for i, node := range n.Nodes {
		part := c.partOf(node)
		if part == nil {
			continue
		}
		if i > 0 {
			pieces = merge(pieces, []Piece{{Kind: Literal, Text: separator}})
		}
		pieces = merge(pieces, escaped(part))
	}
	if !c.failed() {
		expr.List = true
		expr.setPieces(pieces)
	}
}

// partOf is the text of one part.
func (c *compiler) partOf(node ast.Node) []Piece {
	if inner, ok := node.(*ast.ArrayNode); ok {
		c.failf(inner, "a list stands in a list: write its parts into the outer one")
		return nil
	}
	v := c.eval(node)
	if v == nil {
		return nil
	}
	return c.textOf(node, v)
}

// escaped returns pieces as a part of a list.
func escaped(pieces []Piece) []Piece {
	all := make([]Piece, len(pieces))
	for i, p := range pieces {
		switch {
		case p.choice != nil:
			choice := &pieceChoice{branch: p.choice.branch}
			for _, list := range p.choice.cases {
				choice.cases = append(choice.cases, escaped(list))
			}
			p.choice, p.code = choice, choice.text
		case p.Kind == Literal:
			p.Text = escapes.Replace(p.Text)
		case p.Kind == String:
			p.Part = true
		}
		all[i] = p
	}
	return all
}

// adviseParts notes that texts of the caller's stand in one key without
// anything that keeps them apart.
func (c *compiler) adviseParts(pieces []Piece) {
	var parts []string
	off := 0
	for _, p := range pieces {
		if p.Kind == String && p.caller && !slices.Contains(parts, p.source) {
			parts, off = append(parts, p.source), p.off
		}
	}
	if last := len(parts) - 1; last > 0 {
		c.note(off, "%s and %s may hold any text, so that different ones can make the same key: write them as a list, [%s]",
			strings.Join(parts[:last], ", "), parts[last], strings.Join(parts, ", "))
	}
}

// adviseSum notes that a key, or what it begins with, is a sum of integers,
// which few mean who put no brackets around it.
func (c *compiler) adviseSum() {
	n := c.sum()
	switch {
	case n == nil:
	case ast.Node(n) == c.root:
		c.note(c.offset(n.Location()), "%s is a sum; to make a key of both numbers write [%s, %s]", source(n), source(n.Left), source(n.Right))
	case c.text[0] != '(':
		c.note(c.offset(n.Location()), `%s is a sum; to have both numbers in the key write %s + ":" + %s`, source(n), source(n.Left), source(n.Right))
	}
}

// sum is the sum of integers that a chain of "+" begins with, or nil.
func (c *compiler) sum() *ast.BinaryNode {
	n, ok := c.root.(*ast.BinaryNode)
	for ok && n.Operator == "+" {
		if c.isVariable(n.Left) && c.isVariable(n.Right) {
			return n
		}
		n, ok = n.Left.(*ast.BinaryNode)
	}
	return nil
}

// isVariable reports whether a node is an integer and no constant.
func (c *compiler) isVariable(node ast.Node) bool {
	v := c.seen[node]
	return v != nil && v.class() == integers && v.val == nil
}
