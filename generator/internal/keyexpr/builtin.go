package keyexpr

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// A kind of argument is a letter:
const (
	anything  = 'a'
	text      = 's'
	integer   = 'i'
	number    = 'n'
	list      = 'l'
	dictKind  = 'm'
	countable = 'c' // a string, list or map
	numeric   = 'p' // a number, or a string that is one
	numbers   = 'x' // a number, or a list of some
)

// builtinSpec is one of expr's builtins.
type builtinSpec struct {
	// params has a letter for each argument. Those after a "?" may be left
	// out, the last before a "+" may be repeated.
	params string
	result func(c *compiler, args []*value) types.Type
	orNil  bool

	// native is how it is written in Go, where it can be. Without it, or
	// where it returns nil, a program calls the builtin.
	native func(c *compiler, n *ast.BuiltinNode, args []*value) *value
}

func builtinNames() []string { return slices.Sorted(maps.Keys(builtins)) }

// builtin is a call of one of expr's.
func (c *compiler) builtin(n *ast.BuiltinNode) *value {
	if _, ok := predicates[n.Name]; ok || n.Name == "reduce" {
		return c.predicate(n)
	}
	spec, ok := builtins[n.Name]
	if !ok {
		return c.notYet(n, n.Name+"() is")
	}
	args, ok := c.builtinArguments(n, spec)
	if !ok {
		return nil
	}
	if spec.native != nil && !slices.ContainsFunc(args, func(v *value) bool { return inProgram(v) }) {
		if v := spec.native(c, n, args); v != nil || c.failed() {
			return v
		}
	}
	return c.builtinProgram(n, spec, args)
}

func (c *compiler) builtinArguments(n *ast.BuiltinNode, spec builtinSpec) (args []*value, ok bool) {
	least, most := spec.count()
	if got := len(n.Arguments); got < least || most >= 0 && got > most {
		c.failAt(n, "%s() takes %s, not %d", n.Name, countPhrase(least, most), got)
		return nil, false
	}
	ok = true
	for i, node := range n.Arguments {
		v := c.operand(node, c.eval(node))
		if v != nil && !suits(v, spec.kind(i)) {
			v = c.failf(node, "%s() takes %s here, not %s", n.Name, kindPhrases[spec.kind(i)], c.describe(node, v))
		}
		if n.Name == "string" {
			v = c.stable(node, v)
		}
		ok = ok && v != nil
		args = append(args, v)
	}
	return args, ok
}

// count returns how many arguments there must be at least and may be at most,
// -1 for any number.
func (s builtinSpec) count() (least, most int) {
	plain := strings.NewReplacer("?", "", "+", "").Replace(s.params)
	least, most = len(plain), len(plain)
	if at := strings.IndexByte(s.params, '?'); at >= 0 {
		least = at
	}
	if strings.HasSuffix(s.params, "+") {
		most = -1
	}
	return least, most
}

func (s builtinSpec) kind(i int) byte {
	plain := strings.NewReplacer("?", "", "+", "").Replace(s.params)
	return plain[min(i, len(plain)-1)]
}

func countPhrase(least, most int) string {
	switch {
	case least == most:
		return arguments(least)
	case most < 0:
		return "at least " + arguments(least)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

var kindPhrases = map[byte]string{
	text: "a string", integer: "an integer", number: "a number", list: "a list", dictKind: "a map",
	countable: "a string, list or map", numeric: "a number or a string", numbers: "a number or a list of numbers",
}

func suits(v *value, kind byte) bool {
	k := v.class()
	switch kind {
	case anything:
		return true
	case text:
		return k == texts || k == dynamic
	case integer:
		return k == integers || k == dynamic
	case number:
		return k == integers || k == floats || k == dynamic
	case list:
		return k == lists || k == dynamic
	case dictKind:
		return k == dicts || k == dynamic
	case numbers:
		return k == integers || k == floats || k == lists || k == dynamic
	case countable:
		return k == texts || k == lists || k == dicts || k == dynamic
	}
	return k == integers || k == floats || k == texts || k == dynamic
}

// builtinProgram calls a builtin in a program.
func (c *compiler) builtinProgram(n *ast.BuiltinNode, spec builtinSpec, args []*value) *value {
	t := spec.result(c, args)
	if t == nil {
		return c.failAt(n, "%s() has no result for these arguments", n.Name)
	}
	for i, node := range n.Arguments {
		args[i] = c.origin(node, args[i])
		if spec.kind(i) != anything || args[i].val != nil {
			args[i] = c.ready(node, args[i])
		}
	}
	v := inside(t, func(p *program) string {
		var all []string
		for i, arg := range args {
			all = append(all, p.builtinArgument(n.Name, spec.kind(i), arg))
		}
		return n.Name + "(" + strings.Join(all, ", ") + ")"
	}, args...)
	v.fails, v.boxed, v.orNil = true, true, spec.orNil || isDynamic(t)
	return v
}

func (p *program) builtinArgument(name string, kind byte, v *value) string {
	switch {
	case kind == anything && !isListOf(v):
		return p.write(v)
	case name == "sort" && !sortable(v):
		return "map(" + p.write(v) + ", basic(#))"
	}
	return p.basic(v)
}

func isListOf(v *value) bool { return classOf(pointed(v.typ)) == lists }

// sortable reports whether sort knows the type of a list.
func sortable(v *value) bool {
	elem := elemOf(pointed(v.typ))
	return v.boxed || !needsBasic(&value{typ: elem}) && (types.Identical(elem, intType) || types.Identical(elem, floatType) ||
		types.Identical(elem, stringType) || types.Identical(elem, anyType))
}
