package keyexpr

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
)

// fragment writes a value as a part of a program's source.
type fragment func(p *program) string

// program is a part of an expression that expr's VM runs. What there is code
// for is evaluated before, and the program is given it under a name.
type program struct {
	leaves []*leaf
	lazy   int // how many parts around are evaluated only in some cases
}

// leaf is a value that a program is given.
type leaf struct {
	name  string
	value *value
	lazy  bool // as a function, since evaluating it may fail and may not be needed
}

// write returns the source of v.
func (p *program) write(v *value) string {
	switch {
	case v.program != nil:
		return v.program(p)
	case v.literal:
		if text, ok := literalText(v.val); ok {
			return text
		}
	}
	return p.leaf(v)
}

// literalText is a constant as programs write it, if nothing in it would have
// to be escaped.
func literalText(val constant.Value) (string, bool) {
	switch val.Kind() {
	case constant.Bool, constant.Int:
		return val.ExactString(), true
	case constant.String:
		s := constant.StringVal(val)
		q := strconv.Quote(s)
		return q, q == `"`+s+`"`
	}
	return "", false
}

// tight is write for an operand.
func (p *program) tight(v *value) string {
	text := p.write(v)
	if v.infix || strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	return text
}

// basic is write for an operator or function that knows predeclared types
// only.
func (p *program) basic(v *value) string {
	switch {
	case v.plain != nil:
		return v.plain(p)
	case needsBasic(v):
		return "basic(" + p.write(v) + ")"
	case isListOf(v) && needsBasic(&value{typ: elemOf(pointed(v.typ))}):
		return "map(" + p.write(v) + ", basic(#))"
	}
	return p.write(v)
}

func (p *program) tightBasic(v *value) string {
	if text := p.basic(v); text != p.write(v) {
		return text
	}
	return p.tight(v)
}

func needsBasic(v *value) bool {
	t := pointed(v.typ)
	return some[classOf(t)] != nil && isNamed(t)
}

// lazily writes parts that are evaluated only in some cases.
func (p *program) lazily(write func() string) string {
	p.lazy++
	defer func() { p.lazy-- }()
	return write()
}

// list writes values with commas between them.
func (p *program) list(values []*value, write func(*value) string) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, write(v))
	}
	return strings.Join(texts, ", ")
}

func (p *program) dict(pairs []*value) string {
	var texts []string
	for i := 0; i < len(pairs); i += 2 {
		key := p.basic(pairs[i])
		if pairs[i].val == nil {
			key = "(" + key + ")"
		}
		texts = append(texts, key+": "+p.write(pairs[i+1]))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// leaf returns the name under which the program is given v.
func (p *program) leaf(v *value) string {
	lazy := p.lazy > 0 && (v.fails || v.steps)
	for _, l := range p.leaves {
		if l.lazy == lazy && (l.value == v || v.simple && v.source != "" && l.value.source == v.source && types.Identical(l.value.typ, v.typ)) {
			return l.call()
		}
	}
	l := &leaf{name: p.fresh(v.label), value: v, lazy: lazy}
	p.leaves = append(p.leaves, l)
	return l.call()
}

func (l *leaf) call() string {
	if l.lazy {
		return l.name + "()"
	}
	return l.name
}

func (p *program) fresh(label string) string {
	if label == "" || !plainName(label) {
		label = "value"
	}
	taken := func(name string) bool {
		_, isBuiltin := builtin.Index[name]
		return isBuiltin || operatorWords[name] || slices.Contains(programWords, name) ||
			slices.ContainsFunc(p.leaves, func(l *leaf) bool { return l.name == name })
	}
	name := label
	for n := 2; taken(name); n++ {
		name = label + strconv.Itoa(n)
	}
	return name
}

var programWords = []string{"text", "basic", "true", "false", "nil", "not", "let", "if", "else"}

func plainName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0
}

// lower makes code of a program's value where its type is a predeclared one
// and it depends on nothing that only the program knows.
func (c *compiler) lower(node ast.Node, v *value) *value {
	for _, t := range []types.Type{intType, floatType, stringType, boolType} {
		if types.Identical(v.typ, t) && !v.orNil && v.branch == nil {
			return c.lowered(node, v)
		}
	}
	return v
}

// lowered is lower also for what may be nil, which is an error then, or is of
// a type of its own.
func (c *compiler) lowered(node ast.Node, v *value) *value {
	method := map[class]string{integers: "Int", floats: "Float", texts: "String", bools: "Bool"}[v.class()]
	if isWide(v) {
		method = "Uint"
	}
	if method == "" || v.native() || v.loop || len(c.loops) > 0 {
		return v
	}
	t := map[string]types.Type{"Int": intType, "Uint": types.Typ[types.Uint64], "Float": floatType, "String": stringType, "Bool": boolType}[method]
	p := &program{}
	src := p.basic(v)
	if !c.compiles(node, src) {
		return nil
	}
	compile := c.qual(programPath, "exprkey", "Compile")
	global := c.global(node, "Program", "is "+source(node)+", which runs on expr's VM", func() *jen.Statement { return compile().Call(patternCode(src)) })
	if global == nil {
		return nil
	}
	c.programs++
	c.qual(programPath, "exprkey", "Env")
	w := derive(t, v)
	w.steps, w.fails, w.fresh, w.hint, w.label = true, true, true, hintOf(node), v.label
	w.code = func(b *block) *jen.Statement {
		return b.try(w.hint, jen.Id(global.Name).Dot(method).Call(jen.Qual(programPath, "Env").Values(b.env(p.leaves)...)))
	}
	return w
}

// env writes the values that a program is given.
func (b *block) env(leaves []*leaf) []jen.Code {
	var eager []*value
	for _, l := range leaves {
		if !l.lazy {
			eager = append(eager, orNothing(l.value))
		}
	}
	operands := b.operands(eager...)
	var pairs []jen.Code
	for _, l := range leaves {
		code := b.later(l)
		if !l.lazy {
			code, operands = operands[0].Statement, operands[1:]
		}
		pairs = append(pairs, jen.Lit(l.name).Op(":").Add(code))
	}
	return pairs
}

// orNothing is a value of any type that is nil where v's guards don't hold.
func orNothing(v *value) *value {
	if len(v.guards) == 0 {
		return v
	}
	w := derive(anyType, v)
	w.steps = true
	w.code = func(b *block) *jen.Statement {
		name := b.local(v.hint)
		b.Var().Id(name).Any()
		open(b, v.guards, func(in *block) { in.set(name, v.code(in)) })
		return jen.Id(name)
	}
	return w
}

// later is a function that evaluates a leaf.
func (b *block) later(l *leaf) *jen.Statement {
	if !l.lazy {
		return nil
	}
	fail := func(err *jen.Statement) jen.Code { return jen.Return(jen.Nil(), err) }
	return jen.Func().Params().Params(jen.Any(), jen.Error()).BlockFunc(func(g *jen.Group) {
		in := b.closure(g, fail)
		open(in, l.value.guards, func(in *block) { in.Return(l.value.code(in), jen.Nil()) })
		if len(l.value.guards) > 0 {
			in.Return(jen.Nil(), jen.Nil())
		}
	})
}
