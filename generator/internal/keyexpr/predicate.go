package keyexpr

import (
	"go/types"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// loop is a predicate that is applied to each element of a list.
type loop struct {
	elem     types.Type
	acc      types.Type // of what reduce has so far
	hasIndex bool
}

const predicateOnly = "# stands only in the predicate of a builtin, such as any(list, # > 1)"

// element is "#", "#index" or "#acc".
func (c *compiler) element(n *ast.PointerNode) *value {
	if len(c.loops) == 0 {
		return c.failf(n, predicateOnly)
	}
	l := c.loops[len(c.loops)-1]
	t := map[string]types.Type{"": l.elem, "acc": l.acc}[n.Name]
	if n.Name == "index" && l.hasIndex {
		t = intType
	}
	if t == nil {
		return c.failf(n, "there is no #%s in this predicate", n.Name)
	}
	v := inside(t, func(*program) string { return "#" + n.Name })
	v.loop, v.orNil = true, isDynamic(t)
	return v
}

// predicates are expr's builtins that apply a predicate, with the type of
// their results for elements of a type and a predicate's result.
var predicates = map[string]struct {
	test   bool // the predicate is true or false
	index  bool // it may use #index
	result func(elem types.Type, body *value) types.Type
	orNil  bool
}{
	"all":           {test: true, result: always(boolType)},
	"any":           {test: true, result: always(boolType)},
	"none":          {test: true, result: always(boolType)},
	"one":           {test: true, result: always(boolType)},
	"count":         {test: true, result: always(intType)},
	"filter":        {test: true, result: func(elem types.Type, _ *value) types.Type { return types.NewSlice(elem) }},
	"find":          {test: true, result: func(elem types.Type, _ *value) types.Type { return elem }, orNil: true},
	"findLast":      {test: true, result: func(elem types.Type, _ *value) types.Type { return elem }, orNil: true},
	"findIndex":     {test: true, result: always(intType), orNil: true},
	"findLastIndex": {test: true, result: always(intType), orNil: true},
	"map":           {index: true, result: func(_ types.Type, body *value) types.Type { return types.NewSlice(types.Default(body.typ)) }},
	"sum":           {result: func(_ types.Type, body *value) types.Type { return sumType(body.typ) }},
	"sortBy":        {result: func(elem types.Type, _ *value) types.Type { return types.NewSlice(elem) }},
	"groupBy": {result: func(elem types.Type, body *value) types.Type {
		return types.NewMap(anyType, types.NewSlice(elem))
	}},
}

func always(t types.Type) func(types.Type, *value) types.Type {
	return func(types.Type, *value) types.Type { return t }
}

// sumType is the type of a sum, nil where there is none.
func sumType(t types.Type) types.Type {
	switch classOf(t) {
	case integers:
		return intType
	case floats:
		return floatType
	case dynamic:
		return anyType
	}
	return nil
}

// predicate is a builtin that applies one to a list.
func (c *compiler) predicate(n *ast.BuiltinNode) *value {
	list := c.operand(n.Arguments[0], c.eval(n.Arguments[0]))
	if list == nil {
		return nil
	}
	if k := list.class(); k != lists && k != dynamic {
		return c.failf(n.Arguments[0], "%s() takes a list, not %s", n.Name, c.describe(n.Arguments[0], list))
	}
	list = c.ready(n.Arguments[0], c.origin(n.Arguments[0], list))
	if n.Name == "reduce" {
		return c.reduce(n, list)
	}
	if len(n.Arguments) == 1 {
		return c.withoutPredicate(n, list)
	}
	return c.applied(n, list)
}

func (c *compiler) applied(n *ast.BuiltinNode, list *value) *value {
	spec := predicates[n.Name]
	elem := elemOf(pointed(list.typ))
	body := c.body(n.Arguments[1], loop{elem: elem, hasIndex: spec.index})
	if body == nil {
		return nil
	}
	node := n.Arguments[1]
	if k := body.class(); spec.test && k != bools && k != dynamic {
		return c.failf(node, "the predicate %s is not true or false", c.describe(node, body))
	}
	t := spec.result(elem, body)
	if t == nil {
		return c.failf(node, "sum() adds numbers, not %s", c.describe(node, body))
	}
	order, ok := c.order(n)
	if !ok {
		return nil
	}
	return c.overList(n, t, list, body, order)
}

// overList is the call of a builtin in a program.
func (c *compiler) overList(n *ast.BuiltinNode, t types.Type, list, body, last *value) *value {
	v := inside(t, func(p *program) string {
		args := []string{p.write(list), p.lazily(func() string { return predicateText(p.basic(body)) })}
		if last != nil {
			args = append(args, p.basic(last))
		}
		return n.Name + "(" + strings.Join(args, ", ") + ")"
	}, list)
	v.size += body.size
	v.fails, v.steps, v.boxed = true, v.steps || body.steps, true
	v.orNil = predicates[n.Name].orNil || isDynamic(t)
	return v
}

// predicateText keeps a map's literal from being read as a block.
func predicateText(text string) string {
	if strings.HasPrefix(text, "{") {
		return "(" + text + ")"
	}
	return text
}

// body evaluates a predicate for the elements of a list.
func (c *compiler) body(node ast.Node, l loop) *value {
	p := node.(*ast.PredicateNode) // the parser sees to it
	c.loops = append(c.loops, l)
	defer func() { c.loops = c.loops[:len(c.loops)-1] }()
	v := c.eval(p.Node)
	if v == nil {
		return nil
	}
	return c.ready(p.Node, v)
}

// order is the last argument of sortBy, if there is one.
func (c *compiler) order(n *ast.BuiltinNode) (*value, bool) {
	if len(n.Arguments) < 3 {
		return nil, true
	}
	node := n.Arguments[2]
	v := c.operand(node, c.eval(node))
	if v == nil {
		return nil, false
	}
	if v.class() != texts && v.class() != dynamic {
		c.failf(node, `the order is "asc" or "desc", not %s`, c.describe(node, v))
		return nil, false
	}
	return c.ready(node, v), true
}

// withoutPredicate is count(list) or sum(list).
func (c *compiler) withoutPredicate(n *ast.BuiltinNode, list *value) *value {
	node, t := n.Arguments[0], types.Type(intType)
	elem := derive(elemOf(pointed(list.typ)))
	if n.Name == "sum" {
		if t = sumType(elem.typ); t == nil {
			return c.failf(node, "sum() adds numbers, and the elements of %s are none", c.describe(node, list))
		}
	} else if k := elem.class(); k != bools && k != dynamic {
		return c.failf(node, "count() without a predicate counts what is true, and the elements of %s are neither true nor false", c.describe(node, list))
	}
	v := inside(t, func(p *program) string { return n.Name + "(" + p.basic(list) + ")" }, list)
	v.fails, v.orNil = true, isDynamic(t)
	return v
}

// reduce makes one value of a list.
func (c *compiler) reduce(n *ast.BuiltinNode, list *value) *value {
	elem := elemOf(pointed(list.typ))
	acc, first := elem, (*value)(nil)
	if len(n.Arguments) == 3 {
		if first = c.operand(n.Arguments[2], c.eval(n.Arguments[2])); first == nil {
			return nil
		}
		first = c.ready(n.Arguments[2], first)
		acc = types.Default(first.typ)
	}
	if classOf(acc) == integers {
		acc = intType
	}
	body := c.body(n.Arguments[1], loop{elem: elem, acc: acc, hasIndex: true})
	if body == nil {
		return nil
	}
	t := elem
	if first != nil {
		t = first.typ
	}
	return c.overList(n, sharedType(t, body.typ), list, body, first)
}

// memberProgram is a field, method or element in a program.
func (c *compiler) memberProgram(n *ast.MemberNode, base *value, name string) *value {
	t, method := c.memberType(n, base, name)
	if t == nil {
		return nil
	}
	dot := "."
	if n.Optional {
		dot = "?."
	}
	base = c.ready(n.Node, base)
	v := inside(t, func(p *program) string {
		if text := p.tight(base); text != "#" || n.Optional {
			return text + dot + name
		}
		return "#." + name
	}, base)
	v.orNil, v.method = n.Optional || base.orNil || isDynamic(t) || base.sparse && classOf(pointed(base.typ)) == dicts, method
	v.fails = true
	return v
}

// memberType is the type of what a program reads, which it can where that is
// exported.
func (c *compiler) memberType(n *ast.MemberNode, base *value, name string) (types.Type, *types.Func) {
	t := pointed(base.typ)
	if isDynamic(t) && methodOf(base.typ, false, name, nil) == nil {
		return anyType, nil
	}
	obj, index, indirect := types.LookupFieldOrMethod(base.typ, false, c.scope.Pkg, name)
	switch {
	case obj == nil && classOf(t) == dicts:
		return t.Underlying().(*types.Map).Elem(), nil
	case obj == nil:
		c.noMember(n, base, name, index, indirect)
		return nil, nil
	case !obj.Exported():
		c.failAt(n, "%s cannot be read here, because it is not exported: export it, or pass %s to a function", name, source(n.Node))
		return nil, nil
	}
	method, _ := obj.(*types.Func)
	if c.typed(n, derive(obj.Type())) == nil {
		return nil, nil
	}
	return obj.Type(), method
}

// callProgram is a call in a program.
func (c *compiler) callProgram(n *ast.CallNode, callee *value, sig *types.Signature) *value {
	if callee.generic != nil {
		return c.notYet(n, "calling a generic function in a predicate is")
	}
	var args []*value
	t := types.Type(anyType)
	if sig != nil {
		t = sig.Results().At(0).Type()
	}
	for i, node := range n.Arguments {
		arg := c.eval(node)
		if arg == nil {
			return nil
		}
		if sig != nil {
			if arg = c.typedArgument(node, arg, parameter(sig, i)); arg == nil {
				return nil
			}
		}
		args = append(args, arg)
	}
	v := inside(t, func(p *program) string {
		var texts []string
		for _, arg := range args {
			texts = append(texts, p.write(arg))
		}
		return p.write(callee) + "(" + strings.Join(texts, ", ") + ")"
	}, append([]*value{callee}, args...)...)
	v.fails, v.orNil = true, isDynamic(t)
	return v
}

// typedArgument is an argument of exactly the type that a parameter has, since
// programs convert none.
func (c *compiler) typedArgument(node ast.Node, arg *value, to types.Type) *value {
	if arg.program != nil && arg.list == nil {
		return arg
	}
	if arg.list != nil {
		return c.listFor(node, arg, to) // argument has found that it fits
	}
	if types.Identical(arg.typ, to) || types.IsInterface(to) && !isUntyped(arg.typ) || arg.guards != nil {
		return arg
	}
	inner := arg
	w := derive(to, inner)
	w.label = arg.label
	w.code = func(b *block) *jen.Statement { return typeCode(to).Parens(inner.code(b)) }
	if isUntyped(arg.typ) && types.IsInterface(to) {
		w.code = inner.code
	}
	return w
}
