// Package model is what a generated file says: all names are chosen, all
// checks made. It holds what emitting code needs and no more.
package model

import (
	"go/types"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Runtime is the package that generated code calls, and the name under which
// it imports it.
const (
	Runtime     = "github.com/ratelimitgen/ratelimitgen/runtime"
	RuntimeName = "ratelimit"
)

// Package is one generated file.
type Package struct {
	Path     string
	Name     string
	Imports  []naming.Import // what the code may use; those that it does not are not imported
	Wrappers []*Wrapper
}

// Wrapper is the type that limits the methods of another.
type Wrapper struct {
	Type        string // the type inside
	Name        string
	Constructor string
	Receiver    string // of its methods
	Next        string // the field that holds the type inside
	Limiter     string // the field that holds the limiter
	Unwrap      bool   // it has a method of that name
	Methods     []*Method
}

// Method is one method of a wrapper.
type Method struct {
	Name     string
	Doc      string // the documentation of the method inside, without directives
	Params   []Var
	Variadic bool
	Results  []Var  // named all, or none
	Limit    *Limit // nil: the call is only passed on
}

// Var is a parameter or a result.
type Var struct {
	Name string
	Type types.Type
}

// Limit is what stands before the call of a limited method.
type Limit struct {
	Context  string // the parameter; empty for the background context
	Decision string // the local variables' names
	Err      string
	Refusal  string
	Rules    []*Rule
}

// Names are the declarations that the rules make in the package.
func (l *Limit) Names() []string {
	var names []string
	for _, r := range l.Rules {
		names = append(names, r.Var)
		if r.Key != nil && r.Key.Func != "" {
			names = append(names, r.Key.Func)
		}
	}
	return names
}

// Rule is one rule of a method.
type Rule struct {
	Var  string // the variable that holds it
	Spec rules.Spec
	Name string
	Tag  string
	Fail string // the constant's name; empty for the limiter's policy

	Message  string
	Key      *Key      // nil: one bucket for the rule
	Fallback *Fallback // nil: the error is returned
}

// Key is how a rule's key is built.
type Key struct {
	Text   string // as the source has it
	Pieces []keyexpr.Piece
	Concat func() *jen.Statement // the key as one expression

	Func   string // the function that builds a key that can fail; empty: it is built in the method
	Params []Var  // of that function, after the wrapper

	Buffer string // the local variables' names
	Bytes  string
	Result string // of Func
	Err    string
	Reason string
}

// Appended reports whether the key is appended to a buffer piece by piece,
// because not all of its pieces are strings.
func (k *Key) Appended() bool {
	for _, p := range k.Pieces {
		if p.Kind != keyexpr.Literal && p.Kind != keyexpr.String {
			return true
		}
	}
	return false
}

// Constant reports whether the key is the same for all calls.
func (k *Key) Constant() bool {
	return len(k.Pieces) == 1 && k.Pieces[0].Kind == keyexpr.Literal
}

// Fallback answers instead of a refusal.
type Fallback struct {
	Text    string // as the source has it
	Name    string
	Func    bool   // it is a function, no method of the type inside
	Package string // the path of a function's package
	Args    Args
	Spread  bool // the last of the method's parameters is passed with "..."
}

// Args says which arguments a fallback takes.
type Args int

const (
	NoArgs   Args = iota
	SameArgs      // the method's
	WithErr       // the method's, and the *LimitError
)

// Window is how Go code writes a duration: a count and a unit of package
// time.
func Window(d time.Duration) (n int64, unit string) {
	for _, u := range units {
		if d%u.d == 0 {
			return int64(d / u.d), u.name
		}
	}
	return int64(d), "Nanosecond"
}

var units = []struct {
	d    time.Duration
	name string
}{
	{time.Hour, "Hour"},
	{time.Minute, "Minute"},
	{time.Second, "Second"},
	{time.Millisecond, "Millisecond"},
	{time.Microsecond, "Microsecond"},
}
