package keyexpr

import (
	"go/types"
	"slices"

	"github.com/expr-lang/expr/ast"
)

// withPort are the String methods of addresses that have a port. What is behind a
// net.Addr has one as a rule.
var withPort = []string{"(net.Addr).String", "(*net.TCPAddr).String", "(*net.UDPAddr).String", "(net/netip.AddrPort).String"}

// advisePorts notes that a key, or a part of it, is an address with the port of
// the connection: who opens another one gets a bucket of its own.
func (c *compiler) advisePorts(node ast.Node) {
	for _, part := range wholes(node) {
		c.advisePorts(part)
	}
	if instead := c.insteadOfPort(node); instead != "" {
		c.note(c.start(node), "%s has the port of the connection in it, so that each connection has a bucket of its own: %s", source(node), instead)
	}
}

// wholes are the parts of an expression whose texts, or what stands for them, are
// wholly in its own.
func wholes(node ast.Node) []ast.Node {
	switch n := node.(type) {
	case *ast.ChainNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		if n.Operator == "+" || n.Operator == "??" {
			return []ast.Node{n.Left, n.Right}
		}
	case *ast.ConditionalNode:
		return []ast.Node{n.Exp1, n.Exp2}
	case *ast.ArrayNode:
		return n.Nodes
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok && isOurs(id.Value) {
			return n.Arguments
		}
	case *ast.BuiltinNode:
		if slices.Contains([]string{"string", "lower", "upper", "trim"}, n.Name) {
			return n.Arguments[:min(len(n.Arguments), 1)]
		}
	}
	return nil
}

// insteadOfPort says what to write instead of an address with a port, "" for
// anything else.
func (c *compiler) insteadOfPort(node ast.Node) string {
	if member, ok := node.(*ast.MemberNode); ok && c.isRemoteAddr(member) {
		return c.withoutPort()
	}
	address, method := c.stringOf(node)
	if method == nil || !slices.Contains(withPort, method.FullName()) || c.isLocal(address) {
		return ""
	}
	switch method.FullName() {
	case "(net/netip.AddrPort).String":
		return "write " + sourceOperand(address) + ".Addr()"
	case "(net.Addr).String":
		return c.withoutPort()
	}
	return "write " + sourceOperand(address) + ".IP"
}

// withoutPort says how to write the address of a caller.
func (c *compiler) withoutPort() string {
	known := slices.ContainsFunc(c.scope.Vars, func(v Var) bool { return !v.Receiver && (isContext(v.Type) || isRequest(v.Type)) })
	if !known || c.scope.has("ip") {
		return "pass it to a function that returns the host alone"
	}
	return "write ip(), the address that ratelimit.WithCaller was given"
}

// isRemoteAddr reports whether a member is the field of a request of net/http.
func (c *compiler) isRemoteAddr(n *ast.MemberNode) bool {
	field, ok := c.memberOf(n).(*types.Var)
	return ok && field.Name() == "RemoteAddr" && field.Pkg().Path() == "net/http"
}

// stringOf returns that of which an expression is the text, and the method that
// makes it, which may be called or not.
func (c *compiler) stringOf(node ast.Node) (ast.Node, *types.Func) {
	if call, ok := node.(*ast.CallNode); ok {
		if member, ok := call.Callee.(*ast.MemberNode); ok {
			if method, ok := c.memberOf(member).(*types.Func); ok && method.Name() == "String" {
				return member.Node, method
			}
		}
	}
	v := c.seen[node]
	if v == nil || v.typ == nil || isUntyped(v.typ) {
		return node, nil
	}
	return node, stringMethod(v.typ, true)
}

// isLocal reports whether an address is the server's own, which clients share.
func (c *compiler) isLocal(address ast.Node) bool {
	if call, ok := address.(*ast.CallNode); ok {
		address = call.Callee
	}
	member, ok := address.(*ast.MemberNode)
	if !ok {
		return false
	}
	obj := c.memberOf(member)
	return obj != nil && (obj.Name() == "LocalAddr" || obj.Name() == "Addr" && obj.Pkg().Path() == "net")
}

// memberOf returns the field or method that a member is, or nil.
func (c *compiler) memberOf(n *ast.MemberNode) types.Object {
	base := c.seen[n.Node]
	property, ok := n.Property.(*ast.StringNode)
	if base == nil || base.typ == nil || !ok {
		return nil
	}
	return c.findMember(base.typ, property.Value)
}
