package emit

import (
	"bytes"
	"go/scanner"
	"go/token"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
)

// place is a body, or a block of one, that expressions are written to with the
// statements that they need.
type place struct {
	*jen.Group
	names *[]string // that the whole function has already
	err   string    // its variable of type error, if it has one
	fail  func(err *jen.Statement) jen.Code
}

// block is a block inside of p.
func (p place) block(g *jen.Group) place {
	p.Group = g
	return p
}

func (p place) frame() keyexpr.Frame {
	return keyexpr.Frame{Taken: *p.names, Err: p.err, Fail: p.fail}
}

// value is the value of an expression.
func (p place) value(e *keyexpr.Expr) *jen.Statement {
	code := e.Value(p.Group, p.frame())
	if e.Steps {
		p.take()
	}
	return code
}

// number is the value of an expression as an int64.
func (p place) number(e *keyexpr.Expr) *jen.Statement {
	return converted(p.value(e), e, types.Int64)
}

// boolean is the value of an expression as a bool.
func (p place) boolean(e *keyexpr.Expr) *jen.Statement {
	return converted(p.value(e), e, types.Bool)
}

func converted(value *jen.Statement, e *keyexpr.Expr, to types.BasicKind) *jen.Statement {
	t := types.Typ[to]
	if e.Const != nil || types.Identical(e.Type, t) {
		return value
	}
	return jen.Id(t.Name()).Call(value)
}

// take notes the variables that are declared in p. No further one of the
// function may have the name of one of them.
func (p place) take() {
	var src bytes.Buffer
	if err := p.Render(&src); err != nil {
		return
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, src.Len())
	s.Init(file, src.Bytes(), nil, 0)
	var names []string // in a row, as in "a, b :="
	for last := token.EOF; ; {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.IDENT && last == token.VAR:
			*p.names = append(*p.names, text)
		case tok == token.IDENT && last == token.COMMA:
			names = append(names, text)
		case tok == token.IDENT:
			names = []string{text}
		case tok == token.DEFINE:
			*p.names = append(*p.names, names...)
		}
		last = tok
	}
}
