package model

import (
	"maps"
	"slices"
	"time"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// Limit is what stands around the call of a limited method.
type Limit struct {
	Context  string // the parameter, or the variable that is made of Request; empty for the background context
	Request  string // the parameter that has the context, where none is it
	Decision string // the local variables' names
	Err      string
	Refusal  string
	Tag      string
	Results  []string // those that take the results of a call to be settled
	Declares bool     // some of Results are no variables before

	Checks  []Callee // each once, in the order of the source
	Rules   []*Rule
	Globals []*keyexpr.Global // what the expressions of the rules need
	Taken   []string          // names that no further variable of the method may have
}

// Settled reports whether quota may be given back after the call.
func (l *Limit) Settled() bool {
	return slices.ContainsFunc(l.Rules, func(r *Rule) bool { return r.Refund != nil })
}

// Names are the declarations that the rules make in the package.
func (l *Limit) Names() []string {
	var names []string
	for _, g := range l.Globals {
		names = append(names, g.Name)
	}
	for _, r := range l.Rules {
		names = append(names, r.Var)
		for _, f := range []*Func{r.Func, r.WhenFunc} {
			if f != nil {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

func (l *Limit) claims() []string {
	var vars []string
	for _, r := range l.Rules {
		if !r.Named {
			vars = append(vars, r.Var)
		}
	}
	return vars
}

// Rule is one rule of a method, and what a call asks of it.
type Rule struct {
	Var   string // the variable that holds it
	Spec  rules.Spec
	Name  string
	Named bool   // a directive says the name
	Tag   string // where the call has none of its own

	Fail    string // the constants' names; empty for what is so by default
	Log     string
	Message string
	Wait    time.Duration
	Private bool
	Shadow  bool

	Refund *Refund // nil: never
	Local  string  // the variable of the method that holds a copy with a Refund of the type inside

	By       string        // the dimension whose key this is
	When     *keyexpr.Expr // nil: always
	Key      *keyexpr.Expr // nil: one bucket for the rule
	Limit    *keyexpr.Expr // nil: the Spec's
	Cost     *keyexpr.Expr // nil: Units
	Units    int64
	CallTag  *keyexpr.Expr // nil: Tag
	Digested bool          // the call's tag holds personal data

	Func     *Func // makes the request where that may fail; nil: the method does
	WhenFunc *Func // answers for When where the rest must be made although that failed
	Locals

	Fallback *Fallback // nil: the error is returned
}

// Locals are the variables of the code that makes a request, in the method or
// in Func.
type Locals struct {
	Request       string // that of the method, where When decides
	Applies       string // what WhenFunc returns
	Broken        string
	LimitVar      string
	TagVar        string
	Buffer, Bytes string // of a key that is appended
}

// Exprs are the expressions of the rule, by the items of a directive.
func (r *Rule) Exprs() map[string]*keyexpr.Expr {
	all := map[string]*keyexpr.Expr{"when": r.When, "key": r.Key, "limit": r.Limit, "tag": r.CallTag, "cost": r.Cost}
	maps.DeleteFunc(all, func(_ string, e *keyexpr.Expr) bool { return e == nil })
	return all
}

// Func is a function of the package that makes something which may fail.
type Func struct {
	Name   string
	Params []Var  // after the wrapper
	Rule   string // the parameter before them that is the rule, where that is Local

	Result string // its variables' names
	Err    string
	Reason string
	Taken  []string // names that no further variable may have
}

// Appended reports whether a key is appended to a buffer piece by piece,
// because not all of its pieces are strings.
func Appended(key *keyexpr.Expr) bool {
	return slices.ContainsFunc(key.Pieces, func(p keyexpr.Piece) bool {
		return p.Kind != keyexpr.Literal && p.Kind != keyexpr.String
	})
}

// Constant reports whether the rule has one bucket.
func (r *Rule) Constant() bool {
	return r.Key == nil || len(r.Key.Pieces) == 1 && r.Key.Pieces[0].Kind == keyexpr.Literal
}

// Callee is a method or function that a directive names.
type Callee struct {
	Text    string // as the source has it
	Name    string
	Func    bool   // it is a function, no method of the type inside
	Package string // the path of a function's package
	Spread  bool   // the last of the method's parameters is passed with "..."
}

// Fallback answers instead of a refusal.
type Fallback struct {
	Callee
	Args Args
}

// Args says which arguments a fallback takes.
type Args int

const (
	NoArgs   Args = iota
	SameArgs      // the method's
	WithErr       // the method's, and the *LimitError
)

// Refund says when quota is given back.
type Refund struct {
	Const  string // a function of the runtime
	Callee        // or one that a directive names
}
