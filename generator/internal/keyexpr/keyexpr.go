package keyexpr

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

// Var is a parameter, or the receiver.
type Var struct {
	Name string     // as in the user's source; "" and "_" cannot be named
	Type types.Type // as in the user's source; a variadic one has its slice type

	// Code returns a new statement that is how the wrapper writes the
	// variable, such as w.next for the receiver.
	Code func() *jen.Statement

	// First returns the identifier that Code begins with, if it has no other
	// one but selectors. Without First it is looked for.
	First func() string

	// Pointer says that Code has the type *Type: the wrapper holds a pointer
	// to the receiver of a method with a value receiver.
	Pointer bool

	// Receiver says that this is no parameter: whoever calls the method does
	// not choose it.
	Receiver bool
}

// Scope is where an expression finds its names. The first that has one wins:
// Vars in their order, the package, the imports of the file, the functions of
// the language, expr's builtins.
type Scope struct {
	Vars       []Var                     // the parameters, then the receiver
	Pkg        *types.Package            // the package of the directive
	Imports    map[string]*types.Package // the file's imports by the names they have there
	DotImports []*types.Package

	// Limiter returns a new statement that is how the wrapper writes its
	// limiter. Without it env and config are not supported.
	Limiter func() *jen.Statement

	// Globals says that the caller declares the variables that an Expr needs
	// in the package. Without it, what needs one is not supported.
	Globals bool
}

// Want is what an expression is for, and so what its value must be.
type Want int

const (
	WantKey    Want = iota // a text, or a list of texts
	WantString             // a string
	WantInt                // an integer
	WantBool               // a bool

	wantAny // a basic value
)

// Expr is a checked expression.
type Expr struct {
	Text  string         // as written, without blanks around it
	Type  types.Type     // of the value, and so of Code; string for a key
	Const constant.Value // the value where it is constant, else nil; of an untyped integer any, also one that is too large for code

	// Pieces are the parts of a key or string, whose texts joined are its
	// value: at least one, no two literals side by side, and no empty literal
	// but where it is the only piece.
	Pieces []Piece

	// List says that a key was written as a list. Its Pieces hold the
	// separators and are escaped.
	List bool

	// Native says that no part of the expression runs on expr's VM.
	Native bool

	// CanFail says that the code may panic, or leave its function with an
	// error: there is a nil pointer on the way to a field, an index may be out
	// of range, it calls a function of the user's.
	CanFail bool

	// Steps says that the code is more than an expression. Code and Pieces
	// then hold function literals; Value, Return and Append write it as
	// statements instead.
	Steps bool

	// Vars are the names, in the source, of the variables that the
	// expression reads, each once, in the order of their first use. A context
	// that is read for the caller counts, also one that has no name.
	Vars []string

	// Names are the identifiers that the code uses without a qualifier, other
	// than those of Vars: functions and variables of the package, predeclared
	// types and functions. Nothing in the generated function may hide them.
	Names []string

	// Limiter says that the code uses the limiter.
	Limiter bool

	// Globals are variables of the package that the code uses. They are to be
	// named before code is written, and declared.
	Globals []*Global

	value    *value
	vars     []Var
	packages []string // names of packages that the code may use
	objects  []string // names of its own package that it may use
}

// Global is a variable of the package that the code of an expression uses.
type Global struct {
	Name string // chosen by whoever declares it
	Use  string // what it is, as the end of a name: Pattern or Program
	Doc  string // what it is, as the end of a comment's line

	code func() *jen.Statement
}

// Code returns a new statement with the initial value.
func (g *Global) Code() *jen.Statement { return g.code() }

// Problem is something wrong with an expression. Off is a byte offset in its
// source, in [0, len(src)].
type Problem struct {
	Off  int
	Text string
	Note bool // advice, no error
}

// Key compiles an expression whose text is a key. With an error among the
// problems the Expr is nil.
func Key(src string, sc *Scope) (*Expr, []Problem) { return Compile(src, sc, WantKey) }

// Compile compiles an expression. With an error among the problems the Expr
// is nil.
func Compile(src string, sc *Scope, want Want) (*Expr, []Problem) {
	c := &compiler{scope: sc, src: src, seen: make(map[ast.Node]*value)}
	if !c.parse() {
		return nil, c.problems
	}
	expr := c.compile(want)
	if c.failed() {
		return nil, c.problems
	}
	return expr, c.problems
}

func (c *compiler) failed() bool {
	return slices.ContainsFunc(c.problems, func(p Problem) bool { return !p.Note })
}
