// Package model is what a generated file says: all names are chosen, all
// checks made. It holds what emitting code needs and no more.
package model

import (
	"go/types"
	"slices"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/naming"
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

// Claims are the variables of the rules whose names nobody wrote.
func (p *Package) Claims() []string {
	var vars []string
	for _, w := range p.Wrappers {
		for _, m := range w.Methods {
			if m.Limit != nil {
				vars = append(vars, m.Limit.claims()...)
			}
		}
	}
	return vars
}

// Wrapper is the type that limits the methods of another.
type Wrapper struct {
	Type        string // the type inside, or the function
	Func        bool   // there is no type: Constructor returns a function like Type
	Interface   bool   // the type inside is one
	TypeParams  []Var  // with their constraints
	Embeds      []Embed
	Name        string
	Constructor string
	Guard       string // the type that is the one inside as it was; empty where none can be written
	Receiver    string // of its methods; of a Func the limiter
	Next        string // the field that holds the type inside
	Limiter     string // the field that holds the limiter
	Unwrap      bool   // it has a method of that name
	Methods     []*Method
}

// Embed is a type of another package that the wrapper embeds, for methods that
// only that package can write.
type Embed struct {
	Alias     string     // the name that it has in the wrapper
	Field     string     // that it is in the type inside; empty where it is all of an interface
	Type      types.Type // without its star
	Pointer   bool       // the field is a pointer
	Interface bool
}

// Limited reports whether any of the methods is limited.
func (w *Wrapper) Limited() bool {
	return slices.ContainsFunc(w.Methods, func(m *Method) bool { return m.Limit != nil })
}

// Method is one method of a wrapper.
type Method struct {
	Name     string
	Doc      string // the documentation of the method inside, without directives
	Params   []Var
	Variadic bool
	Results  []Var  // named all, or none
	Limit    *Limit // nil: the call is only passed on

	LimitedBy string // the wrapper to which it is passed on, if any

	ReturnsError bool // the last result is an error
}

// Var is a parameter or a result.
type Var struct {
	Name string
	Type types.Type
}
