package directive

// Kind is what a directive asks for.
type Kind int

const (
	Rule    Kind = iota // one rule
	And                 // "and": continues the rule above it
	Default             // "default": items for all rules below a type or package clause
	Skip                // "skip": takes a method out of rules of its type and defaults
	Wrap                // "wrap": names the wrapper of a type
)

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
	Window                  // a duration or minute, hour, day, week, month
	Quoted                  // a quoted string
	Word                    // one of the item's Words
	Words                   // some of the item's Words, joined by commas
	Name                    // identifiers joined by dots
	Ident                   // an identifier
	Func                    // a method or function: an identifier, or one of a package
	WordOrFunc              // one of the item's Words or a function
	Zone                    // a time zone of the IANA database
	Percent                 // a percentage
	Ban                     // N/window:time
)

// Spec declares an item.
type Spec struct {
	Name      string
	Value     Value
	Words     []string // the words that the value may be
	Default   string   // what is so without the item, for help
	Doc       string   // what it means, for help
	In        []Kind   // the directives that it may stand in
	Group     string   // of the items of one group a rule has at most one
	Required  bool     // every rule has one
	Supported bool     // false: refused as not supported yet
}

// KindSpec declares a directive other than a rule.
type KindSpec struct {
	Name      string
	Kind      Kind
	Doc       string
	Supported bool
}

// Items is the table of all items, in the order of the reference.
var Items []Spec

// Kinds is the table of the directives other than rules.
var Kinds []KindSpec

// Lookup returns the entry of an item.
func Lookup(name string) (*Spec, bool) {
	for i := range Items {
		if Items[i].Name == name {
			return &Items[i], true
		}
	}
	return nil, false
}
