package exprkey

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Env is what the names of a program stand for: values, and functions of no
// parameters for what is to be evaluated only where the program gets there.
type Env = map[string]any

// Program is an expression for expr's VM. Where its result is a pointer, what
// that points to is the result.
type Program struct {
	compiled func() (*vm.Program, error)
}

// Compile returns the program of source. It is compiled when it is used for
// the first time; an error in it is an error of each use.
func Compile(source string) *Program {
	return &Program{compiled: sync.OnceValues(func() (*vm.Program, error) {
		return expr.Compile(source,
			expr.Env(Env{}), expr.AllowUndefinedVariables(),
			expr.Function("text", text), expr.Function("basic", basic))
	})}
}

// Bool runs a program whose result is true or false.
func (p *Program) Bool(env Env) (bool, error) { return run[bool](p, env) }

// String runs a program whose result is a string.
func (p *Program) String(env Env) (string, error) { return run[string](p, env) }

// Int runs a program whose result is an integer.
func (p *Program) Int(env Env) (int, error) {
	v, err := p.run(env)
	if err != nil {
		return 0, err
	}
	if n, ok := integer(v); ok {
		return n, nil
	}
	return 0, fmt.Errorf("the result is no integer but %s", kind(v))
}

// Uint runs a program whose result is an integer of a type without a sign.
func (p *Program) Uint(env Env) (uint64, error) {
	v, err := p.run(env)
	if err != nil {
		return 0, err
	}
	if r := reflect.ValueOf(v); r.CanUint() {
		return r.Uint(), nil
	}
	return 0, fmt.Errorf("the result is no integer without a sign but %s", kind(v))
}

// Float runs a program whose result is a number.
func (p *Program) Float(env Env) (float64, error) {
	v, err := p.run(env)
	if err != nil {
		return 0, err
	}
	if f, ok := float(v); ok {
		return f, nil
	}
	return 0, fmt.Errorf("the result is no number but %s", kind(v))
}

func run[T any](p *Program, env Env) (T, error) {
	v, err := p.run(env)
	t, ok := v.(T)
	if err == nil && !ok {
		err = fmt.Errorf("the result is no %T but %s", t, kind(v))
	}
	return t, err
}

func (p *Program) run(env Env) (any, error) {
	program, err := p.compiled()
	if err != nil {
		return nil, bare(err)
	}
	v, err := vm.Run(program, env)
	if err != nil {
		return nil, bare(err)
	}
	if r := indirect(v); r.IsValid() {
		return r.Interface(), nil
	}
	return nil, nil
}

// bare returns what went wrong, without the place in the program's source,
// which nobody has written.
func bare(err error) error {
	e, ok := errors.AsType[*file.Error](err)
	switch {
	case !ok:
		return err
	case e.Prev != nil:
		return e.Prev
	}
	return errors.New(e.Message)
}

func kind(v any) string {
	if v == nil {
		return "nil"
	}
	return fmt.Sprintf("a %T", v)
}
