package keyexpr

import (
	"go/constant"
	"go/types"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// code writes the statements that it needs to b and returns an expression.
type code func(b *block) *jen.Statement

// form is a way to write a value.
type form struct {
	code  code
	prec  precedence
	steps bool
}

// value is what a part of an expression evaluates to.
type value struct {
	typ  types.Type     // Go's type of the code; an untyped one for constants
	val  constant.Value // of a constant
	code code           // nil where there is none: program has the value then
	prec precedence     // of the code
	base code           // what a field or method is selected from, where that is not code

	traits
	self        *value // the same for all that v was copied to
	fresh       bool   // the code is a variable that holds v and nothing else
	addressable bool
	simple      bool // the code may be written twice and moved: it has no effect
	literal     bool // a constant that is made of literals alone
	nonNil      bool // of a pointer: it was compared with nil before

	guards  []*guard // what must hold for code to be evaluated; else the value is nil
	direct  *form    // where nothing tests the guards: it panics then
	negated *form    // of a comparison: its opposite

	branch  *branch        // of a choice: what it chooses from
	chooses *branch        // the same, where code is that of the choice
	chosen  []*value       // the code of what it chooses from
	pieces  []Piece        // of a string that "+" made
	list    []*value       // the elements of a list's literal
	pkg     *types.Package // of an import's name, which is no value
	generic *types.Func    // a function to be instantiated
	method  *types.Func    // that the value is

	hint   string // what a variable with the value may be called
	label  string // what a program may call it
	source string // the part of the source that it is, where the code is simple

	// program is how the value is written in a program. It is nil where a
	// program is given the value of code under a name.
	program fragment
	plain   fragment // of a list's literal: the same with elements of predeclared types
	infix   bool     // it needs parentheses as an operand
	orNil   bool     // it may be nil
	boxed   bool     // it is a []any or map[string]any whatever typ says
}

// traits pass from the parts of an expression to the whole.
type traits struct {
	fails  bool // evaluation may panic or end with an error
	steps  bool // the code writes statements
	caller bool // a text in which whoever makes the call may write anything
	loop   bool // depends on the element that a predicate looks at
	sparse bool // it is or may hold a map's literal, of which a missing element is nil
	size   int  // of the code, in parts
}

func (t *traits) add(part traits) {
	t.fails = t.fails || part.fails
	t.steps = t.steps || part.steps
	t.caller = t.caller || part.caller
	t.loop = t.loop || part.loop
	t.sparse = t.sparse || part.sparse
	t.size += part.size
}

var stringType, intType, floatType, boolType = types.Typ[types.String], types.Typ[types.Int], types.Typ[types.Float64], types.Typ[types.Bool]

// anyType is that of values of which only a program knows more.
var anyType = types.Universe.Lookup("any").Type()

// derive returns a value of type t that is made of parts.
func derive(t types.Type, parts ...*value) *value {
	v := &value{typ: t}
	v.self = v
	for _, p := range parts {
		v.add(p.traits)
	}
	v.sparse = v.sparse && mayHoldMaps(t)
	v.size++
	return v
}

func mayHoldMaps(t types.Type) bool {
	switch classOf(t) {
	case dicts, lists, dynamic:
		return true
	}
	return false
}

func literal(typ types.BasicKind, val constant.Value) *value {
	v := derive(types.Typ[typ])
	v.val, v.literal, v.simple = val, true, true
	v.code = func(*block) *jen.Statement { return litCode(val) }
	if val.Kind() != constant.String && val.Kind() != constant.Bool && constant.Sign(val) < 0 {
		v.prec = unary
	}
	return v
}

func boolLiteral(b bool) *value { return literal(types.UntypedBool, constant.MakeBool(b)) }

// boolConstant is true or false where expr does not evaluate the operator
// before it runs.
func boolConstant(b bool) *value {
	v := boolLiteral(b)
	v.literal = false
	return v
}

// litCode returns a constant as a literal.
func litCode(val constant.Value) *jen.Statement {
	switch val.Kind() {
	case constant.String:
		return jen.Lit(constant.StringVal(val))
	case constant.Bool:
		return jen.Lit(constant.BoolVal(val))
	case constant.Float:
		f, _ := constant.Float64Val(val)
		return jen.Lit(f)
	}
	return jen.Id(val.ExactString())
}

// native reports whether there is code for v.
func (v *value) native() bool { return v.code != nil }

// baseOf is the code that a field or method of v is selected from.
func (v *value) baseOf() code {
	if v.base != nil {
		return v.base
	}
	return v.at(primary)
}

// at returns the code of v as an operand of an operator that binds as tightly
// as p.
func (v *value) at(p precedence) code {
	if v.prec <= p {
		return v.code
	}
	return func(b *block) *jen.Statement { return jen.Parens(v.code(b)) }
}

// precedence of operators: the looser the larger.
type precedence int

const (
	primary precedence = iota
	unary
	product
	sum
	comparison
	conjunction
	disjunction
)

func basic(t types.Type) *types.Basic {
	if typeParam(t) != nil {
		return nil
	}
	b, _ := t.Underlying().(*types.Basic)
	return b
}

func is(t types.Type, info types.BasicInfo) bool {
	b := basic(t)
	return b != nil && b.Info()&info != 0
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

// isDynamic reports whether only a run can tell what a value of type t is.
func isDynamic(t types.Type) bool { return types.IsInterface(t) && typeParam(t) == nil }

func typeParam(t types.Type) *types.TypeParam {
	p, _ := types.Unalias(t).(*types.TypeParam)
	return p
}

// isNamed reports whether t is a type of its own that is based on another.
func isNamed(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named
}

// nilable reports whether a value of type t may be compared with nil.
func nilable(t types.Type) bool {
	if typeParam(t) != nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan, *types.Interface:
		return true
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	}
	return false
}

// typeName returns t as the user writes it.
func (c *compiler) typeName(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == c.scope.Pkg {
			return ""
		}
		return p.Name()
	})
}

// source returns a part of an expression for messages.
func source(node ast.Node) string {
	const most = 60
	s := node.String()
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// sourceOperand is source for something that is to be appended to, such as a
// field's name.
func sourceOperand(node ast.Node) string {
	switch node.(type) {
	case *ast.BinaryNode, *ast.UnaryNode, *ast.ConditionalNode:
		return "(" + source(node) + ")"
	}
	return source(node)
}
