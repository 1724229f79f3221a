package keyexpr

import (
	"bytes"
	"go/scanner"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

// Frame is a function that the statements of an expression are written into.
type Frame struct {
	Taken []string // names that the function has already: its parameters, results and variables
	Err   string   // its variable of type error; empty where it has none

	// Fail is the statement that leaves the function with an error. Without
	// one the code panics with it.
	Fail func(err *jen.Statement) jen.Code

	// Declare is called with the name of each variable that is declared.
	Declare func(name string)
}

// function is where code is written.
type function struct {
	expr  *Expr
	frame Frame
	taken map[string]bool // names that mean something else there, or are declared; nil before one is asked for
}

// names are those that no variable can have. The first call takes one for the
// variable of type error, if there is none.
func (f *function) names() map[string]bool {
	if f.taken != nil {
		return f.taken
	}
	f.taken = set(f.frame.Taken, f.expr.Names, f.expr.objects)
	for _, g := range f.expr.Globals {
		f.taken[g.Name] = true
	}
	for _, v := range f.expr.vars {
		for name := range v.identifiers() {
			f.taken[name] = true
		}
	}
	if f.frame.Err == "" {
		f.frame.Err = f.local("err")
	}
	return f.taken
}

// err is the variable of type error.
func (f *function) err() string {
	f.names()
	return f.frame.Err
}

// block is a part of a function.
type block struct {
	*jen.Group
	*function
	outer *block
	held  map[*value]*jen.Statement // variables that hold values
	fail  func(err *jen.Statement) jen.Code
}

// in returns the block in which an expression is written to g.
func (e *Expr) in(g *jen.Group, f Frame) *block {
	b := &block{Group: g, function: &function{expr: e, frame: f}, held: make(map[*value]*jen.Statement), fail: f.Fail}
	if b.fail == nil {
		b.fail = func(err *jen.Statement) jen.Code { return jen.Panic(err) }
	}
	return b
}

func set(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			all[name] = true
		}
	}
	return all
}

func (f *function) isPackage(name string) bool {
	return slices.Contains(f.expr.packages, name) || slices.Contains(nearbyPackages, name)
}

// nearbyPackages are those that code around an expression may use.
var nearbyPackages = []string{"strconv", "fmt", "errors", "context", "ratelimit", "exprkey"}

// identifiers yields those of an expression's code that no selector qualifies.
func identifiers(c jen.Code) iter.Seq[string] {
	src := rendered(c)
	return func(yield func(string) bool) {
		var s scanner.Scanner
		fset := token.NewFileSet()
		s.Init(fset.AddFile("", fset.Base(), len(src)), src, func(token.Position, string) {}, 0)
		for before := token.ILLEGAL; ; {
			_, tok, text := s.Scan()
			if tok == token.EOF || tok == token.IDENT && before != token.PERIOD && !yield(text) {
				return
			}
			before = tok
		}
	}
}

// identifiers are those of the code of v.
func (v Var) identifiers() iter.Seq[string] {
	if v.First == nil {
		return identifiers(v.Code())
	}
	return slices.Values([]string{v.First()})
}

// rendered is the text of an expression's code, as it comes: formatting it takes
// longer than all the rest.
func rendered(c jen.Code) []byte {
	const start = "\nvar _ = "
	f := jen.NewFile("p")
	f.NoFormat = true
	f.Var().Id("_").Op("=").Add(c)
	var out bytes.Buffer
	if err := f.Render(&out); err != nil {
		panic(err) // of code that is none
	}
	_, text, _ := bytes.Cut(out.Bytes(), []byte(start))
	return text
}

// local returns a new name for a variable, like base.
func (f *function) local(base string) string {
	if token.IsKeyword(base) || types.Universe.Lookup(base) != nil || f.isPackage(base) || slices.Contains(f.expr.objects, base) || base == "" {
		base = "value"
	}
	for f.isPackage(base) {
		base += "Of"
	}
	return f.numbered(base)
}

func (f *function) numbered(base string) string {
	name, taken := base, f.names()
	for n := 2; taken[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	taken[name] = true
	if f.frame.Declare != nil {
		f.frame.Declare(name)
	}
	return name
}

// child is a block inside of b.
func (b *block) child(g *jen.Group) *block {
	return &block{Group: g, function: b.function, outer: b, held: make(map[*value]*jen.Statement), fail: b.fail}
}

// closure is the block of a function literal inside of b.
func (b *block) closure(g *jen.Group, fail func(err *jen.Statement) jen.Code) *block {
	inner := b.child(g)
	inner.fail = fail
	return inner
}

// let declares a variable with a value.
func (b *block) let(hint string, value jen.Code) string {
	name := b.local(hint)
	b.Id(name).Op(":=").Add(value)
	return name
}

// set gives a variable a value.
func (b *block) set(name string, value jen.Code) { b.Id(name).Op("=").Add(value) }

// define declares variables with the results of an expression.
func (b *block) define(value jen.Code, names ...string) {
	b.ListFunc(func(g *jen.Group) {
		for _, name := range names {
			g.Id(name)
		}
	}).Op(":=").Add(value)
}

// hold writes v to a variable, unless its code may be written twice.
func (b *block) hold(v *value) {
	if !v.simple && b.holder(v) == nil {
		code := v.code(b)
		if !v.fresh {
			code = jen.Id(b.let(v.hint, code))
		}
		b.held[v.self] = code
	}
}

// holder returns the variable that holds v, if any.
func (b *block) holder(v *value) *jen.Statement {
	for ; b != nil; b = b.outer {
		if variable := b.held[v.self]; variable != nil {
			return variable.Clone()
		}
	}
	return nil
}

// held returns v as it is written where hold was called for it.
func held(v *value) *value {
	if v.simple {
		return v
	}
	h := *v
	h.code = func(b *block) *jen.Statement { return b.holder(v) }
	h.base, h.prec, h.simple, h.addressable, h.pieces, h.branch, h.chooses, h.list = nil, primary, true, true, nil, nil, nil, nil
	h.traits = traits{caller: v.caller, loop: v.loop, sparse: v.sparse, size: 1}
	return &h
}

// try declares a variable with the first of a call's two results and leaves
// the function when the second, an error, is not nil.
func (b *block) try(hint string, call jen.Code) *jen.Statement {
	name := b.local(hint)
	b.define(call, name, b.err())
	b.If(jen.Id(b.err()).Op("!=").Nil()).Block(b.fail(jen.Id(b.err())))
	return jen.Id(name)
}

// operand is an evaluated part of an expression.
type operand struct {
	*jen.Statement
	prec precedence
}

// at returns the operand for an operator that binds as tightly as p.
func (o operand) at(p precedence) *jen.Statement {
	if o.prec <= p {
		return o.Statement
	}
	return jen.Parens(o.Statement)
}

// operands evaluates values in their order: one whose successors write
// statements goes into a variable first, lest it be evaluated after them.
func (b *block) operands(values ...*value) []operand {
	all := make([]operand, len(values))
	for i, v := range values {
		all[i] = operand{v.code(b), v.prec}
		if !v.simple && !v.fresh && v.val == nil && anySteps(values[i+1:]) {
			all[i] = operand{jen.Id(b.let(v.hint, all[i].Statement)), primary}
		}
	}
	return all
}

func anySteps(values []*value) bool {
	for _, v := range values {
		if v.steps {
			return true
		}
	}
	return false
}

// inline returns code as one expression of type t: a function literal where
// it needs statements.
func (e *Expr) inline(t types.Type, steps bool, c code) *jen.Statement {
	if !steps {
		return c(e.in(nil, Frame{}))
	}
	return jen.Func().Params().Add(typeCode(types.Default(t))).BlockFunc(func(g *jen.Group) {
		b := e.in(g, Frame{})
		b.Return(c(b))
	}).Call()
}

// typeCode is a type as the source writes it, aliases included.
func typeCode(t types.Type) *jen.Statement {
	const mark = "\x00"
	text := types.TypeString(t, func(p *types.Package) string { return mark + p.Path() + mark })
	parts := strings.Split(text, mark)
	s := &jen.Statement{}
	addText(s, parts[0])
	for i := 1; i < len(parts); i += 2 {
		name, rest := cutName(strings.TrimPrefix(parts[i+1], "."))
		s.Qual(parts[i], name)
		addText(s, rest)
	}
	return s
}

func addText(s *jen.Statement, text string) {
	if text != "" {
		s.Id(text)
	}
}

// cutName cuts s behind the name that it starts with.
func cutName(s string) (name, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}
