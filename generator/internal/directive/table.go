package directive

import (
	"slices"
	"strings"
)

// Kind is what a directive asks for.
type Kind int

const (
	Rule    Kind = iota // one rule
	And                 // "and": continues the rule above it
	Default             // "default": items for all rules below a type or package clause
	Skip                // "skip": takes a method out of rules of its type and defaults
	Wrap                // "wrap": names the wrapper of a type
)

// Place is a declaration in whose doc comment a directive may stand.
type Place int

const (
	OnMethod Place = iota
	OnFunc
	OnType
	OnPackage
)

// KindSpec declares a kind of directive.
type KindSpec struct {
	Name  string // the word after the prefix; "" for a rule
	Kind  Kind
	On    []Place
	Also  []string // what others call it, in small letters without underscores
	Doc   string   // for help
	Usage string   // Go code for help, in which functions have no body
}

// Spec returns the entry of k.
func (k Kind) Spec() KindSpec {
	i := slices.IndexFunc(Kinds, func(spec KindSpec) bool { return spec.Kind == k })
	return Kinds[i]
}

// String is how the directive starts, or "a rule".
func (k Kind) String() string {
	if k == Rule {
		return "a rule"
	}
	return Prefix + k.Spec().Name
}

// example is a directive of the kind.
func (k KindSpec) example() string {
	for line := range strings.Lines(k.Usage) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, Prefix+k.Name) {
			return line
		}
	}
	return Prefix + k.Name
}

// Value is the kind of value that an item takes.
type Value int

const (
	Flag       Value = iota // none
	Key                     // an expression with a text, or a list of them
	IntExpr                 // a whole number or an expression that gives one
	BoolExpr                // an expression that gives true or false
	StringExpr              // a quoted string or an expression that gives one
	Integer                 // a whole number
	Duration                // 500ms, 60s, 1h30m, 7d, 2w
	Window                  // a duration or one of the item's Words
	Quoted                  // a quoted string
	Word                    // one of the item's Words
	WordList                // some of the item's Words, joined by commas
	WordOrFunc              // one of the item's Words or a function
	Name                    // identifiers joined by dots
	Ident                   // an identifier
	Func                    // a method or function: an identifier, or package and identifier
	Zone                    // a time zone of the IANA database
	Percent                 // a percentage
	Ban                     // N/window:time
)

// String says for help what a value of this kind is.
func (v Value) String() string { return valueNames[v] }

var valueNames = map[Value]string{
	Flag:       "flag",
	Key:        "expression, or a list of them",
	IntExpr:    "whole number, or an expression that yields one",
	BoolExpr:   "expression that yields true or false",
	StringExpr: "quoted string, or an expression that yields one",
	Integer:    "whole number",
	Duration:   "duration",
	Window:     "duration",
	Quoted:     "quoted string",
	Word:       "word",
	WordList:   "words, joined by commas",
	WordOrFunc: "name of a method or function",
	Name:       "identifiers, joined by dots",
	Ident:      "identifier",
	Func:       "name of a method or function",
	Zone:       "time zone",
	Percent:    "percentage",
	Ban:        "N/window:time",
}

// expression reports whether values of this kind end as expressions do.
func (v Value) expression() bool {
	return v == Key || v == IntExpr || v == BoolExpr || v == StringExpr
}

// Spec declares an item.
type Spec struct {
	Name     string
	Value    Value
	Words    []string // words that the value may be
	Min      int64    // the smallest whole number
	Example  string   // a value, for help; of a Word, its Words serve
	Default  string   // what is so without the item, for help
	Doc      string   // what it means, for help
	Usage    string   // a whole directive without its prefix, for help
	In       []Kind   // the directives in which it may stand
	Group    string   // of the items of one group a rule has at most one
	Required bool     // every directive that may have it has it
	Also     []string // what others call it, in small letters without underscores

	Later bool // refused as not supported yet
}

// Lookup returns the entry of an item.
func Lookup(name string) (*Spec, bool) {
	for i := range Items {
		if Items[i].Name == name {
			return &Items[i], true
		}
	}
	return nil, false
}

func lookupKind(name string) (KindSpec, bool) {
	for _, k := range Kinds {
		if k.Name == name && name != "" {
			return k, true
		}
	}
	return KindSpec{}, false
}
