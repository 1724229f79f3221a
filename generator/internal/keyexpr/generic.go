package keyexpr

import (
	"errors"
	"fmt"
	goast "go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// instantiate returns the signature that a generic function has for the
// arguments of a call, or nil when it reported that these don't tell.
func (c *compiler) instantiate(n *ast.CallNode, callee *value) *types.Signature {
	if callee.generic == nil {
		c.notYet(n, "calling "+source(n.Callee)+" is")
		return nil
	}
	pkg := types.NewPackage("call", "call")
	call := &goast.CallExpr{Fun: goast.NewIdent(callee.generic.Name())}
	pkg.Scope().Insert(callee.generic)
	for i, node := range n.Arguments {
		arg := c.eval(node)
		if arg == nil {
			return nil
		}
		name := fmt.Sprintf("arg%d", i)
		call.Args = append(call.Args, goast.NewIdent(name))
		pkg.Scope().Insert(argumentObject(pkg, name, arg))
	}
	info := &types.Info{Types: make(map[goast.Expr]types.TypeAndValue)}
	err := types.CheckExpr(token.NewFileSet(), pkg, token.NoPos, call, info)
	sig, ok := info.Types[call.Fun].Type.(*types.Signature)
	var unsatisfied types.Error
	if errors.As(err, &unsatisfied) && strings.Contains(unsatisfied.Msg, "does not satisfy") {
		c.failf(n, "%s cannot be called so: %s", source(n.Callee), reason(unsatisfied.Msg))
		return nil
	}
	if err != nil || !ok || sig.TypeParams().Len() > 0 {
		c.failf(n, "the arguments do not tell the type parameters of %s: write a function that calls it", source(n.Callee))
		return nil
	}
	return sig
}

// reason is what is wrong with a call, without the name of what is called.
func reason(message string) string {
	_, rest, ok := strings.Cut(message, ", ")
	if ok && strings.HasPrefix(message, "in call to ") {
		return rest
	}
	return message
}

// argumentObject is a variable or constant of an argument's type.
func argumentObject(pkg *types.Package, name string, arg *value) types.Object {
	if arg.val != nil {
		return types.NewConst(token.NoPos, pkg, name, arg.typ, arg.val)
	}
	return types.NewVar(token.NoPos, pkg, name, arg.typ)
}
