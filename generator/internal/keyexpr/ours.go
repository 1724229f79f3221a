package keyexpr

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// runtimePath and programPath are the packages that generated code calls.
const (
	runtimePath = "github.com/ratelimitgen/ratelimitgen/runtime"
	programPath = runtimePath + "/exprkey"
)

// callerFunctions are what the functions that read the caller call.
var callerFunctions = map[string]string{"ip": "CallerIP", "user": "CallerUser", "caller": "CallerID", "header": "CallerHeader"}

// oursNames are the functions of the language itself.
var oursNames = []string{"ip", "user", "caller", "header", "hash", "env", "config"}

func isOurs(name string) bool { return slices.Contains(oursNames, name) }

func (c *compiler) runtime(name string) func() *jen.Statement {
	return c.qual(runtimePath, "ratelimit", name)
}

// ours is a call of a function of the language.
func (c *compiler) ours(n *ast.CallNode, name string) *value {
	switch name {
	case "hash":
		return c.hash(n)
	case "env", "config":
		return c.outside(n, name)
	}
	return c.callerFunction(n, name)
}

// between reports a call with too few or too many arguments.
func (c *compiler) between(n *ast.CallNode, least, most int, usage string) bool {
	if got := len(n.Arguments); got < least || got > most {
		c.failf(n.Callee, "%s is called so: %s", source(n.Callee), usage)
		return false
	}
	return true
}

// callerFunction reads the caller in the call's context. Its last argument,
// which it may lack, is for what the caller does not have.
func (c *compiler) callerFunction(n *ast.CallNode, name string) *value {
	usage, names := name+`() or `+name+`("none")`, 0
	if name == "header" {
		usage, names = `header("X-Name") or header("X-Name", "none")`, 1
	}
	if !c.between(n, names, names+1, usage) {
		c.evalAll(n.Arguments)
		return nil
	}
	ctx := c.context(n, name)
	var args []*value
	if name == "header" {
		args = append(args, c.headerName(n))
	}
	missing := c.missing(n.Arguments[names:])
	if ctx == nil || slices.Contains(args, nil) || len(n.Arguments) > names && missing == nil {
		return nil
	}
	v := c.readCaller(n, callerFunctions[name], append([]*value{ctx}, args...), missing)
	v.caller = name != "ip"
	return v
}

// context returns the parameter that is the call's context, or the context that
// the first request among them has.
func (c *compiler) context(n *ast.CallNode, name string) *value {
	if v := c.parameter(isContext); v != nil {
		return v
	}
	if v := c.parameter(isRequest); v != nil {
		return contextOf(v)
	}
	return c.failf(n, "%s() reads the caller from the call's context, and there is no parameter of type context.Context or *http.Request: add one, or write what the parameters have instead", name)
}

// parameter returns the first parameter of a type, or nil.
func (c *compiler) parameter(is func(types.Type) bool) *value {
	for _, v := range c.scope.Vars {
		if is(v.Type) && !v.Receiver {
			return c.variable(v)
		}
	}
	return nil
}

func isContext(t types.Type) bool { return isPackageType(t, "context", "Context") }

func isRequest(t types.Type) bool {
	pointer, ok := types.Unalias(t).(*types.Pointer)
	return ok && isPackageType(pointer.Elem(), "net/http", "Request") && methodOf(t, false, "Context", nil) != nil
}

// contextOf is the context of a request, which may be nil.
func contextOf(request *value) *value {
	method := methodOf(request.typ, false, "Context", nil)
	v := derive(method.Signature().Results().At(0).Type(), request)
	code := request.baseOf()
	v.code, v.fails = func(b *block) *jen.Statement { return code(b).Dot("Context").Call() }, true
	return v
}

func (c *compiler) headerName(n *ast.CallNode) *value {
	v := c.eval(n.Arguments[0])
	if v == nil || v.val != nil && v.class() == texts && headerToken(constant.StringVal(v.val)) {
		return v
	}
	return c.failf(n.Arguments[0], `the name of a header is a constant such as "X-Name", not %s`, c.describe(n.Arguments[0], v))
}

func headerToken(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) }) < 0
}

// missing is the text that stands for what the caller does not have, nil where
// there is none or it was reported.
func (c *compiler) missing(nodes []ast.Node) *value {
	if len(nodes) == 0 {
		return nil
	}
	v := c.eval(nodes[0])
	if v == nil {
		return nil
	}
	pieces := c.textOf(nodes[0], v)
	if pieces == nil {
		return nil
	}
	return joined(pieces)
}

func (c *compiler) readCaller(n *ast.CallNode, function string, args []*value, missing *value) *value {
	hint := hintOf(n)
	switch {
	case missing == nil:
		return c.attempted(invoked(stringType, c.runtime(function), args...), hint)
	case missing.fails || missing.steps:
		return c.elseRead(hint, invoked(stringType, c.runtime(function), args...), missing)
	}
	v := invoked(stringType, c.runtime(function+"Or"), append(args, missing)...)
	v.hint = hint
	return v
}

// elseRead evaluates what stands for something missing only where it is.
func (c *compiler) elseRead(hint string, call, missing *value) *value {
	v := derive(stringType, call, missing)
	v.steps, v.hint = true, hint
	v.code = func(b *block) *jen.Statement {
		name := b.local(hint)
		b.define(call.code(b), name, b.err())
		b.If(jen.Id(b.err()).Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
			in := b.child(g)
			in.set(name, missing.code(in))
		})
		return jen.Id(name)
	}
	return v
}

// hash is a digest of a text.
func (c *compiler) hash(n *ast.CallNode) *value {
	if !c.between(n, 1, 1, "hash(x)") {
		c.evalAll(n.Arguments)
		return nil
	}
	text := c.missing(n.Arguments)
	if text == nil {
		return nil
	}
	v := invoked(stringType, c.runtime("Hash"), text)
	v.caller, v.hint = false, "hash"
	return v
}

// outside is a number that is kept outside of the code.
func (c *compiler) outside(n *ast.CallNode, name string) *value {
	usage, method := `env("NAME", 3)`, "Env"
	if name == "config" {
		usage, method = `config("name", 3)`, "Config"
	}
	if !c.between(n, 2, 2, usage) {
		c.evalAll(n.Arguments)
		return nil
	}
	key, missing := c.eval(n.Arguments[0]), c.operand(n.Arguments[1], c.eval(n.Arguments[1]))
	switch {
	case key == nil || missing == nil:
		return nil
	case key.val == nil || key.class() != texts || constant.StringVal(key.val) == "":
		return c.failf(n.Arguments[0], "the name that %s() asks for is a constant string, not %s", name, c.describe(n.Arguments[0], key))
	case missing.class() != integers || !missing.native():
		return c.failf(n.Arguments[1], "%s() yields an integer, and so must its default, not %s", name, c.describe(n.Arguments[1], missing))
	case c.scope.Limiter == nil:
		return c.notYet(n, name+"() is")
	}
	if missing = c.converted(n, c.strict(n.Arguments[1], missing), types.Int64); missing == nil {
		return nil
	}
	c.limiter = true
	v := invoked(types.Typ[types.Int64], func() *jen.Statement { return c.scope.Limiter().Dot(method) }, key, missing)
	v.fails, v.hint = v.fails || name == "config", hintOf(n)
	return v
}

// unknownFunc reports a call of a name that neither the scope nor the language
// has.
func (c *compiler) unknownFunc(n *ast.IdentifierNode) *value {
	if obj, ok := types.Universe.Lookup(n.Value).(*types.TypeName); ok {
		return c.failf(n, "conversions such as %s() are not supported", obj.Name())
	}
	return c.unknown(n, true)
}
