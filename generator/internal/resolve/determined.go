package resolve

import (
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
)

// determined reports a tag that depends on more than the keys of its method's
// rules: one bucket would then have several places.
func (r *resolver) determined(m *method, source collect.Rule, tag *keyexpr.Expr) {
	item, _ := source.Item("tag")
	for i, rule := range m.Limit.Rules {
		if broken := rule.Key == nil && (has(m.sources[i], "key") || rule.By != "" && rule.By != "global"); broken {
			continue
		}
		if !determines(rule.Key, tag) {
			r.problem(m, source, item, source.ValuePos("tag"), "a tag may use only what the key of each rule contains, and that of %s does not contain all of %s", rule.Name, tag.Text)
			return
		}
	}
}

// determines reports whether calls of one key have one tag.
func determines(key, tag *keyexpr.Expr) bool {
	d := &determination{tag: tag, known: map[string]bool{}}
	if key != nil {
		if tree, err := parser.Parse(key.Text); err == nil {
			d.know(tree.Node)
		}
		d.known[key.Text] = true
	}
	if d.known[tag.Text] {
		return true
	}
	tree, err := parser.Parse(tag.Text)
	return err == nil && d.of(tree.Node)
}

// determination is what a tag may use.
type determination struct {
	tag   *keyexpr.Expr
	known map[string]bool // the source of the parts of a key
}

// know adds the parts that a key is joined of.
func (d *determination) know(node ast.Node) {
	d.known[node.String()] = true
	switch n := node.(type) {
	case *ast.BinaryNode:
		if n.Operator == "+" {
			d.know(n.Left)
			d.know(n.Right)
		}
	case *ast.ArrayNode:
		for _, element := range n.Nodes {
			d.know(element)
		}
	case *ast.CallNode:
		if name(n.Callee) == "hash" && len(n.Arguments) == 1 {
			d.know(n.Arguments[0])
		}
	}
}

// of reports whether a part of the tag is made of what is known.
func (d *determination) of(node ast.Node) bool {
	if d.known[node.String()] {
		return true
	}
	switch n := node.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode:
		return true
	case *ast.IdentifierNode:
		return !slices.Contains(d.tag.Vars, n.Value)
	case *ast.MemberNode:
		return d.all(n.Node, n.Property)
	case *ast.CallNode:
		return d.call(n)
	case *ast.BuiltinNode:
		return len(n.Arguments) > 0 && d.all(n.Arguments...)
	case *ast.UnaryNode:
		return d.of(n.Node)
	case *ast.BinaryNode:
		return d.all(n.Left, n.Right)
	case *ast.ConditionalNode:
		return d.all(n.Cond, n.Exp1, n.Exp2)
	case *ast.ChainNode:
		return d.of(n.Node)
	case *ast.SliceNode:
		return d.of(n.Node) && (n.From == nil || d.of(n.From)) && (n.To == nil || d.of(n.To))
	}
	return false
}

func (d *determination) all(nodes ...ast.Node) bool {
	return !slices.ContainsFunc(nodes, func(n ast.Node) bool { return !d.of(n) })
}

// outside are the functions of the language whose results no argument tells.
var outside = []string{"ip", "user", "caller", "header", "env", "config"}

// call reports whether a call is a function of what is known. One without
// arguments is, where it is a method of that.
func (d *determination) call(n *ast.CallNode) bool {
	if slices.Contains(outside, name(n.Callee)) || !d.of(n.Callee) || !d.all(n.Arguments...) {
		return false
	}
	method, ok := n.Callee.(*ast.MemberNode)
	return len(n.Arguments) > 0 || ok && d.known[method.Node.String()]
}

func name(callee ast.Node) string {
	if id, ok := callee.(*ast.IdentifierNode); ok {
		return id.Value
	}
	return ""
}
