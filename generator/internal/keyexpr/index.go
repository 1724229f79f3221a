package keyexpr

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// index is an element of a list or map, counted from the end where the number
// is negative.
func (c *compiler) index(n *ast.MemberNode) *value {
	base := c.eval(n.Node)
	key := c.operand(n.Property, c.eval(n.Property))
	if base == nil || key == nil {
		return nil
	}
	if _, chain := n.Node.(*ast.ChainNode); chain && !n.Optional {
		base = c.strict(n.Node, base)
	}
	base, guards := c.opened(n, base)
	v := c.elementOf(n, base, c.pointee(n.Node, base), key)
	if v == nil || !v.native() {
		return v
	}
	return v.guarded(guards)
}

func (c *compiler) elementOf(n *ast.MemberNode, base, at, key *value) *value {
	switch at.class() {
	case dicts:
		return c.dictElement(n, at, key)
	case lists:
		return c.listElement(n, at, key)
	case dynamic:
		return c.indexProgram(n, anyType, base, key)
	case texts:
		return c.failf(n, "%s has no single characters: write %s[i:i+1]", c.describe(n.Node, base), sourceOperand(n.Node))
	}
	return c.failf(n, "%s has no elements", c.describe(n.Node, base))
}

func (c *compiler) dictElement(n *ast.MemberNode, dict, key *value) *value {
	t := dict.typ.Underlying().(*types.Map)
	key = c.unconverted(n.Property, key, t.Key())
	switch {
	case isNil(key.typ) || key.class() != dynamic && !c.fitsKey(key, t.Key()):
		return c.failf(n.Property, "%s is no key of %s", c.describe(n.Property, key), c.describe(n.Node, dict))
	case inProgram(dict, key):
		return c.indexProgram(n, t.Elem(), dict, key)
	}
	if key = c.asKey(n.Property, key, t.Key()); key == nil {
		return nil
	}
	switch {
	case dict.list != nil:
		return lookup(n, t.Elem(), dict, key)
	case dict.sparse:
		return c.failf(n, "%s comes from a map's literal, which can be looked into only where it is written, as in {...}[%s]", source(n.Node), source(n.Property))
	}
	dict = c.strict(n.Node, dict)
	v := derive(t.Elem(), dict, key)
	v.caller = dict.caller
	v.hint, v.simple = hintOf(n), dict.simple && key.simple
	v.code = func(b *block) *jen.Statement {
		o := b.operands(dict, key)
		return o[0].at(primary).Index(o[1].Statement)
	}
	return v
}

// unconverted is a value of a type parameter as it was before operand, where
// it is of the type that is wanted.
func (c *compiler) unconverted(node ast.Node, v *value, t types.Type) *value {
	if was := c.seen[node]; was != nil && typeParam(was.typ) != nil && types.Identical(was.typ, t) {
		return was
	}
	return v
}

// asKey is the key of a map; nil stands for its zero value.
func (c *compiler) asKey(node ast.Node, v *value, key types.Type) *value {
	if guards := v.guards; !c.assignable(v, key) {
		if v = c.asString(node, v.bare()); v != nil {
			v = v.guarded(guards)
		}
	}
	return c.orZero(v, key)
}

// lookup is an element of a map's literal, which is nil where there is none.
func lookup(n *ast.MemberNode, t types.Type, dict, key *value) *value {
	found := derive(t, dict, key)
	found.hint, found.steps, found.caller = hintOf(n), true, dict.caller
	g := &guard{value: found, source: source(n), lookup: func(b *block) *jen.Statement {
		o := b.operands(dict, key)
		return o[0].at(primary).Index(o[1].Statement)
	}}
	v := held(found)
	v.addressable = false
	return v.guarded([]*guard{g})
}

func (c *compiler) listElement(n *ast.MemberNode, list, key *value) *value {
	elem := elemOf(list.typ)
	switch {
	case key.class() != integers && key.class() != dynamic:
		return c.failf(n.Property, "the index of a list is an integer, not %s%s", c.describe(n.Property, key), wholeIndex(n, key))
	case inProgram(list, key):
		return c.indexProgram(n, elem, list, key)
	}
	list, key = c.strict(n.Node, list), c.strict(n.Property, key)
	if at, ok := integerConst(key); ok {
		return c.constantElement(n, elem, list, key, at)
	}
	return c.variableElement(n, elem, list, key)
}

func wholeIndex(n *ast.MemberNode, key *value) string {
	if key.class() != floats {
		return ""
	}
	return fmt.Sprintf(": write int(%s)", source(n.Property))
}

func (c *compiler) constantElement(n *ast.MemberNode, elem types.Type, list, key *value, at int64) *value {
	if array, ok := list.typ.Underlying().(*types.Array); ok && (at >= array.Len() || at < -array.Len()) {
		return c.failf(n.Property, "the index %s is out of range: %s has %d elements", source(n.Property), source(n.Node), array.Len())
	}
	if at < 0 && !c.predeclared(n, "len") {
		return nil
	}
	whole := held(list)
	v := derive(elem, list)
	v.fails, v.simple, v.hint = true, list.simple, hintOf(n)
	v.addressable = c.hasAddress(list)
	if at >= 0 {
		v.code = func(b *block) *jen.Statement { return list.at(primary)(b).Index(key.code(b)) }
		return v
	}
	v.steps = v.steps || !list.simple
	v.code = func(b *block) *jen.Statement {
		b.hold(list)
		return whole.at(primary)(b).Index(jen.Len(whole.code(b)).Op("-").Lit(int(-at)))
	}
	return v
}

// hasAddress reports whether the elements of a list do.
func (c *compiler) hasAddress(list *value) bool {
	_, slice := list.typ.Underlying().(*types.Slice)
	return slice || list.addressable
}

func (c *compiler) variableElement(n *ast.MemberNode, elem types.Type, list, key *value) *value {
	v := derive(elem, list, key)
	v.fails, v.hint, v.addressable = true, hintOf(n), c.hasAddress(list)
	if is(key.typ, types.IsUnsigned) && sizes.Sizeof(key.typ) < 8 {
		v.code = func(b *block) *jen.Statement {
			o := b.operands(list, key)
			return o[0].at(primary).Index(o[1].Statement)
		}
		return v
	}
	at := c.asInt(n.Property, key)
	if at == nil || !c.predeclared(n, "len") {
		return nil
	}
	v.steps = true
	v.code = func(b *block) *jen.Statement {
		b.hold(list)
		whole := held(list)
		i := b.let("i", at.code(b))
		b.If(jen.Id(i).Op("<").Lit(0)).Block(jen.Id(i).Op("+=").Len(whole.code(b)))
		return whole.at(primary)(b).Index(jen.Id(i))
	}
	return v
}

// slice is a part of a list or string, as much of it as there is.
func (c *compiler) slice(n *ast.SliceNode) *value {
	v := c.eval(n.Node)
	from, okFrom := c.bound(n.From)
	to, okTo := c.bound(n.To)
	if v == nil || !okFrom || !okTo {
		return nil
	}
	if typeParam(v.typ) != nil {
		if v = c.plainParam(n.Node, v); v == nil {
			return nil
		}
	}
	t := sliceType(v.typ)
	switch {
	case t == nil:
		return c.failf(n, "%s has no part: only strings and lists do", c.describe(n.Node, v))
	case inProgram(v) || from != nil && inProgram(from) || to != nil && inProgram(to) || c.fixedArray(v):
		return c.sliceProgram(n, t, v, from, to)
	}
	v = c.strict(n.Node, v)
	return c.part(n, t, v, c.strict(n.From, from), c.strict(n.To, to))
}

// sliceType is the type of a part of a t, nil where there is none.
func sliceType(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return types.NewSlice(u.Elem())
	case *types.Slice:
		return t
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return types.Default(t)
		}
	}
	if isDynamic(t) {
		return anyType
	}
	return nil
}

// fixedArray reports whether v is an array that cannot be sliced in place.
func (c *compiler) fixedArray(v *value) bool {
	_, array := v.typ.Underlying().(*types.Array)
	return array && !(v.addressable && v.simple)
}

// bound evaluates an end of a slice, if there is one.
func (c *compiler) bound(node ast.Node) (v *value, ok bool) {
	if node == nil {
		return nil, true
	}
	v = c.operand(node, c.eval(node))
	if v != nil && v.class() != integers && v.class() != dynamic {
		v = c.failf(node, "a part is bounded by integers, not %s", c.describe(node, v))
	}
	return v, v != nil
}

// part is v[from:to] with bounds that are cut to what there is.
func (c *compiler) part(n *ast.SliceNode, t types.Type, v, from, to *value) *value {
	if !c.predeclared(n, "len") || !c.predeclared(n, "min") || !c.predeclared(n, "max") {
		return nil
	}
	w := derive(t, v)
	w.caller, w.hint = v.caller, "part"
	whole := held(v)
	low, lowConst := boundConst(from)
	high, highConst := boundConst(to)
	if lowConst && highConst && inOrder(low, high, from, to) {
		w.steps, w.simple = w.steps || !v.simple && (from != nil || to != nil), v.simple
		w.code = func(b *block) *jen.Statement {
			if from == nil && to == nil {
				return v.at(primary)(b).Index(jen.Op(":"))
			}
			b.hold(v)
			return whole.at(primary)(b).Index(cut(b, whole, from, low).Op(":").Add(cut(b, whole, to, high)))
		}
		return w
	}
	return c.variablePart(n, w, v, from, to)
}

// boundConst returns a bound that is constant, or missing.
func boundConst(v *value) (int64, bool) {
	if v == nil {
		return 0, true
	}
	return integerConst(v)
}

// inOrder reports whether constant bounds cannot cross.
func inOrder(low, high int64, from, to *value) bool {
	return from == nil || to == nil || (low < 0) == (high < 0) && low <= high
}

// cut is a constant bound, at most the length of the whole.
func cut(b *block, whole, bound *value, at int64) *jen.Statement {
	switch {
	case bound == nil:
		return jen.Null()
	case at == 0:
		return jen.Lit(0)
	case at < 0:
		return jen.Max(jen.Len(whole.code(b)).Op("-").Id(fmt.Sprint(uint64(-at))), jen.Lit(0))
	}
	return jen.Min(jen.Id(fmt.Sprint(at)), jen.Len(whole.code(b)))
}

// variablePart writes bounds that vary to variables.
func (c *compiler) variablePart(n *ast.SliceNode, w, v, from, to *value) *value {
	from, okFrom := c.asBound(n.From, from)
	to, okTo := c.asBound(n.To, to)
	if !okFrom || !okTo {
		return nil
	}
	whole := held(v)
	w.steps = true
	w.code = func(b *block) *jen.Statement {
		b.hold(v)
		size := func() *jen.Statement { return jen.Len(whole.code(b)) }
		return whole.at(primary)(b).Index(b.bounds(from, to, size))
	}
	for _, bound := range []*value{from, to} {
		if bound != nil {
			w.add(bound.traits)
		}
	}
	return w
}

func (c *compiler) asBound(node ast.Node, v *value) (*value, bool) {
	if v == nil {
		return nil, true
	}
	v = c.asInt(node, v)
	return v, v != nil
}

// bounds writes both bounds of a part, counted from the start and cut.
func (b *block) bounds(from, to *value, size func() *jen.Statement) *jen.Statement {
	low, lowName := b.boundVariable("from", from)
	high, highName := b.boundVariable("to", to)
	low, high = b.fromStart(from, low, lowName, size), b.fromStart(to, high, highName, size)
	end := high
	switch {
	case to == nil:
		end = size()
	case highName != "":
		b.set(highName, jen.Min(high, size()))
	default:
		if at, _ := integerConst(to); at >= 0 {
			end = jen.Id(b.let("to", jen.Min(high, size())))
		}
	}
	if from == nil {
		return jen.Op(":").Add(end)
	}
	if lowName != "" {
		b.set(lowName, jen.Min(low, end))
	} else {
		low = jen.Min(low, end)
	}
	if to == nil {
		return low.Clone().Op(":")
	}
	return low.Clone().Op(":").Add(end)
}

// boundVariable writes a bound that varies to a variable.
func (b *block) boundVariable(hint string, bound *value) (code *jen.Statement, name string) {
	if bound == nil {
		return nil, ""
	}
	code = bound.code(b)
	if _, constant := integerConst(bound); constant {
		return code, ""
	}
	name = b.let(hint, code)
	return jen.Id(name), name
}

// fromStart counts a bound that is negative from the end.
func (b *block) fromStart(bound *value, code *jen.Statement, name string, size func() *jen.Statement) *jen.Statement {
	if name != "" {
		b.If(jen.Id(name).Op("<").Lit(0)).Block(jen.Id(name).Op("=").Max(jen.Id(name).Op("+").Add(size()), jen.Lit(0)))
		return code
	}
	if bound == nil {
		return nil
	}
	if at, _ := integerConst(bound); at < 0 {
		return jen.Max(size().Op("-").Id(fmt.Sprint(uint64(-at))), jen.Lit(0))
	}
	return code
}

// hintOf is what a variable that holds a part of the source may be called.
func hintOf(node ast.Node) string {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return lowerFirst(n.Value)
	case *ast.CallNode:
		return hintOf(n.Callee)
	case *ast.BuiltinNode:
		return n.Name
	case *ast.ChainNode:
		return hintOf(n.Node)
	case *ast.MemberNode:
		if name, ok := n.Property.(*ast.StringNode); ok && token.IsIdentifier(name.Value) {
			return lowerFirst(name.Value)
		}
		return "element"
	}
	return "value"
}

func lowerFirst(s string) string {
	if s == strings.ToUpper(s) {
		return strings.ToLower(s)
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[size:]
}
