package keyexpr

import (
	"go/constant"
	"go/types"

	"github.com/dave/jennifer/jen"
)

// Var is a parameter, or the receiver.
type Var struct {
	Name string     // as in the user's source; "" and "_" cannot be named
	Type types.Type // as in the user's source; a variadic one has its slice type

	// Code returns a new statement that is how the wrapper writes the
	// variable, such as w.next for the receiver.
	Code func() *jen.Statement

	// Pointer says that Code has the type *Type: the wrapper holds a pointer
	// to the receiver of a method with a value receiver.
	Pointer bool
}

// Scope is where an expression finds its names. The first that has one wins:
// Vars in their order, the package, the imports of the file.
type Scope struct {
	Vars       []Var                     // the parameters, then the receiver
	Pkg        *types.Package            // the package of the directive
	Imports    map[string]*types.Package // the file's imports by the names they have there
	DotImports []*types.Package
}

// Want is what an expression is for, and so what its value must be.
type Want int

const (
	WantKey    Want = iota // a text
	WantString             // a string
	WantInt                // an integer
	WantBool               // a bool
)

// Expr is a checked expression.
type Expr struct {
	Text  string         // as written, without blanks around it
	Type  types.Type     // of the value, and so of Code; string for a key
	Const constant.Value // the value where it is constant, else nil

	// Pieces are the parts of a key or string, whose texts joined are its
	// value: at least one, no two literals side by side, and no empty literal
	// but where it is the only piece.
	Pieces []Piece

	// CanFail says that the code may panic: there is a nil pointer on the way
	// to a field, or it calls a function of the user's.
	CanFail bool

	// Vars are the names, in the source, of the variables that the
	// expression reads, each once, in the order of their first use.
	Vars []string

	// Names are the identifiers that the code uses without a qualifier, other
	// than those of Vars: functions and variables of the package, predeclared
	// types. Nothing in the generated function may hide them.
	Names []string

	code func() *jen.Statement
}

// Code returns a new statement with the whole expression as one Go expression
// of type Type; for a key, a concatenation of strings. It may need
// parentheses as an operand.
func (e *Expr) Code() *jen.Statement { return e.code() }

// PieceKind is the type of a piece's code.
type PieceKind int

const (
	Literal PieceKind = iota // a constant string, which is Text
	String                   // string
	Int                      // int64
	Uint                     // uint64
	Bool                     // bool
)

// Piece is one part of a key.
type Piece struct {
	Kind PieceKind
	Text string // of a Literal

	code func() *jen.Statement
}

// Code returns a new statement of exactly the type that Kind says, converted
// where needed; for a Literal, the string literal.
func (p Piece) Code() *jen.Statement {
	if p.Kind == Literal {
		return jen.Lit(p.Text)
	}
	return p.code()
}

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
	c := &compiler{scope: sc, src: src}
	if !c.parse() {
		return nil, c.problems
	}
	expr := c.compile(want)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return expr, nil
}
