package keyexpr

import (
	"fmt"
	"math/rand/v2"
)

// spelling is an expression as it is written here and as expr must be told
// the same: types of the user's are made predeclared ones there, and texts
// are asked for.
type spelling struct{ ours, theirs string }

func same(s string) spelling { return spelling{s, s} }

// both applies one format to the spellings of several parts.
func both(format string, parts ...spelling) spelling {
	ours, theirs := make([]any, len(parts)), make([]any, len(parts))
	for i, p := range parts {
		ours[i], theirs[i] = p.ours, p.theirs
	}
	return spelling{fmt.Sprintf(format, ours...), fmt.Sprintf(format, theirs...)}
}

// writer makes random expressions that are well typed.
type writer struct {
	*rand.Rand
	elem string // the type of "#" in the predicate around
}

func (w *writer) of(choices ...string) string { return choices[w.IntN(len(choices))] }

func (w *writer) one(choices ...func() spelling) spelling { return choices[w.IntN(len(choices))]() }

// root is an expression whose result is a basic value.
func (w *writer) root(depth int) spelling {
	return w.one(
		func() spelling { return w.boolean(depth) },
		func() spelling { return w.boolean(depth) },
		func() spelling { return w.integer(depth) },
		func() spelling { return w.integer(depth) },
		func() spelling { return w.float(depth) },
		func() spelling { return w.text(depth) },
		func() spelling { return w.text(depth) },
	)
}

func (w *writer) boolean(depth int) spelling {
	if depth <= 0 {
		return w.booleanLeaf()
	}
	d := depth - 1
	return w.one(
		w.booleanLeaf,
		func() spelling { return both("("+w.of("!", "not ")+"%s)", w.boolean(d)) },
		func() spelling { return both("(%s "+w.of("&&", "and", "||", "or")+" %s)", w.boolean(d), w.boolean(d)) },
		func() spelling { return both("(%s "+w.of("&&", "and", "||", "or")+" %s)", w.boolean(d), w.boolean(d)) },
		func() spelling { return both("(%s "+w.comparison()+" %s)", w.number(d), w.number(d)) },
		func() spelling { return both("(%s "+w.comparison()+" %s)", w.number(d), w.number(d)) },
		func() spelling { return both("(%s "+w.comparison()+" %s)", w.text(d), w.text(d)) },
		func() spelling { return both("(%s < %s <= %s)", w.integer(0), w.integer(0), w.number(0)) },
		func() spelling { return both("(%s "+w.of("==", "!=")+" %s)", w.optional(), w.boolean(d)) },
		func() spelling { return w.optionalEqual(d) },
		func() spelling { return both("(%s "+w.of("==", "!=")+" nil)", w.nilable()) },
		func() spelling {
			return both("(%s "+w.of("contains", "startsWith", "endsWith", "not contains")+" %s)", w.text(d), w.text(0))
		},
		func() spelling {
			return both("(%s "+w.of("contains", "startsWith")+" %s)", w.optionalText(), w.text(0))
		},
		func() spelling { return both("(%s matches "+w.pattern()+")", w.text(d)) },
		func() spelling { return w.membership(d) },
		func() spelling { return w.membership(d) },
		func() spelling { return both("(%s ? %s : %s)", w.boolean(d), w.boolean(d), w.boolean(d)) },
		func() spelling { return w.predicateBool(d) },
		func() spelling { return both("(%s "+w.comparison()+" %s)", w.duration(d), w.duration(d)) },
		func() spelling { return both("(%s "+w.of("<", "==", ">=")+" %s)", w.time(d), w.time(d)) },
		func() spelling { return w.equalLists() },
		func() spelling { return w.missing(d) },
		func() spelling {
			return both("(anybody "+w.of("==", "!=")+" %s)", w.one(w.textLeaf, w.integerLeaf, w.booleanLeaf))
		},
		func() spelling { return same("(anybody " + w.of("== nil", "!= nil", "== user", "in strs") + ")") },
	)
}

// missing compares an element that a map's literal may lack with nil.
func (w *writer) missing(d int) spelling {
	in := w.of(`{"a": %s}`, `{"gold": %s, "a": ok}`, `{"a": {"a": %s}}["a"]`, `[{"a": %s}][0]`)
	return both("("+in+w.of("", "?.")+"[%s] "+w.of("==", "!=")+" nil)", w.boolean(d), w.text(0))
}

// equalLists compares lists of one type.
func (w *writer) equalLists() spelling {
	list := w.of("ints", "wide", "strs", "floats", "bytes", "array", "labels", "users", "friend", "limits")
	return same("(" + list + " " + w.of("==", "!=") + " " + list + ")")
}

// optionalEqual compares something that may be nil with a value of its type.
func (w *writer) optionalEqual(d int) spelling {
	op := w.of("==", "!=")
	if w.IntN(2) == 0 {
		return both("(%s "+op+" %s)", w.optionalText(), w.text(d))
	}
	return both("(%s "+op+" %s)", w.optionalInt(), w.number(d))
}

func (w *writer) comparison() string { return w.of("==", "!=", "<", "<=", ">", ">=") }

func (w *writer) booleanLeaf() spelling {
	switch {
	case w.elem == "user" && w.IntN(2) == 0:
		return same(w.of(".Admin", "#.Admin", "Old(#)"))
	case w.elem == "pointer" && w.IntN(2) == 0:
		return same(w.of(".Admin", "(# == nil)", "(#?.Home != nil)", "(# == user)"))
	}
	if w.elem == "" && w.IntN(8) == 0 {
		return same("(pb and on)")
	}
	return same(w.of("true", "false", "ok", "on", "flag", "ok", "friend.Admin", "user.Admin"))
}

func (w *writer) number(depth int) spelling {
	if w.IntN(3) == 0 {
		return w.float(depth)
	}
	return w.integer(depth)
}

func (w *writer) integer(depth int) spelling {
	if depth <= 0 {
		return w.integerLeaf()
	}
	d := depth - 1
	return w.one(
		w.integerLeaf,
		func() spelling { return both("(%s "+w.of("+", "-", "*", "%%")+" %s)", w.integer(d), w.integer(d)) },
		func() spelling { return both("(%s "+w.of("+", "-", "*", "%%")+" %s)", w.integer(d), w.integer(d)) },
		func() spelling { return both("(-%s)", w.integer(d)) },
		func() spelling { return both("len(%s)", w.countable(d)) },
		func() spelling { return both("(%s ? %s : %s)", w.boolean(d), w.integer(d), w.integer(d)) },
		func() spelling { return both("int(%s / 7)", w.integer(d)) }, // what int cannot hold is the machine's
		func() spelling { return both("(%s ?? %s)", w.optionalInt(), w.integer(d)) },
		func() spelling { return both("(%s ?? %s)", w.optionalInt(), w.integer(d)) },
		func() spelling { return both(w.of("ints", "wide", "bytes", "array")+"[%s]", w.smallInt(d)) },
		func() spelling { return both("limits[%s]", w.text(d)) },
		func() spelling { return both("friend.Limits[%s]", w.text(d)) },
		func() spelling { return both("abs(%s)", w.integer(d)) },
		func() spelling { return both(w.of("min", "max")+"(%s, %s)", w.integer(d), w.integer(d)) },
		func() spelling {
			return both(w.of("bitand", "bitor", "bitxor", "bitnand")+"(%s, %s)", w.integer(d), w.integer(d))
		},
		func() spelling { return both(w.of("indexOf", "lastIndexOf")+"(%s, %s)", w.text(d), w.text(0)) },
		func() spelling { return both("int(%s)", w.text(d)) },
		func() spelling { return both(`Parse(%s + "")`, w.text(d)) },
		func() spelling { return both("Half(%s)", same(w.of("n", "m", "n", "len(s)"))) },
		func() spelling { return w.predicateInt(d) },
		func() spelling {
			return both(`({"a": %s, "gold": %s}`+w.of("", "?.")+`[%s] ?? %s)`, w.integer(0), w.integer(0), w.text(0), w.integer(d))
		},
		func() spelling { return both("[%s, %s][%s]", w.integer(0), w.integer(0), w.smallInt(d)) },
	)
}

func (w *writer) integerLeaf() spelling {
	switch w.elem {
	case "int":
		if w.IntN(2) == 0 {
			return same("#")
		}
	case "user", "pointer":
		if w.IntN(2) == 0 {
			return w.one(func() spelling { return same(w.of(".Age", "#.Level", "len(.Roles)")) }, func() spelling { return spelling{".Kind", "basic(.Kind)"} })
		}
	}
	if w.IntN(4) == 0 {
		return same(w.of("0", "1", "2", "3", "10", "300", "-1", "-2", "9223372036854775807"))
	}
	if w.IntN(12) == 0 {
		return spelling{"shade", "basic(shade)"}
	}
	return same(w.of("n", "m", "i8", "i16", "i32", "i64", "u", "u8", "u16", "u32", "u64", "kind", "size", "(pn + 0)",
		"friend.Age", "user.Age", "friend.Level", "user.Work.Zip", "user.Home.Zip", "limits.gold", "user.Rank()"))
}

func (w *writer) smallInt(depth int) spelling {
	if w.IntN(3) == 0 {
		return w.integer(depth - 1)
	}
	return same(w.of("0", "1", "2", "-1", "-2", "n", "u8", "i64", "m", "kind", "u64"))
}

func (w *writer) float(depth int) spelling {
	if depth <= 0 {
		return w.floatLeaf()
	}
	d := depth - 1
	return w.one(
		w.floatLeaf,
		func() spelling { return both("(%s "+w.of("+", "-", "*")+" %s)", w.float(d), w.number(d)) },
		func() spelling { return both("(%s "+w.of("+", "-", "*")+" %s)", w.number(d), w.float(d)) },
		func() spelling { return both("(%s "+w.of("/", "/", "**", "^")+" %s)", w.number(d), w.number(d)) },
		func() spelling { return both("(-%s)", w.float(d)) },
		func() spelling { return both("float(%s)", w.number(d)) },
		func() spelling { return both(w.of("ceil", "floor", "round", "abs")+"(%s)", w.float(d)) },
		func() spelling { return both("(%s ? %s : %s)", w.boolean(d), w.float(d), w.float(d)) },
		func() spelling { return both("floats[%s]", w.smallInt(d)) },
		func() spelling { return both(w.of("mean", "median")+"(%s)", w.list(d)) },
		func() spelling { return both("(%s ?? %s)", same("user?.Score"), w.float(d)) },
	)
}

func (w *writer) floatLeaf() spelling {
	if w.elem == "user" && w.IntN(2) == 0 {
		return same(".Score")
	}
	return same(w.of("f", "g", "f32", "0.5", "2.0", "1e3", "0.1", "-1.5", "friend.Score", "user.Score", "f", "g"))
}

func (w *writer) text(depth int) spelling {
	if depth <= 0 {
		return w.textLeaf()
	}
	d := depth - 1
	return w.one(
		w.textLeaf,
		func() spelling { return both("(%s + %s)", w.text(d), w.text(d)) },
		func() spelling { return w.joined(w.text(d), w.withText(d), false) },
		func() spelling { return w.joined(w.text(d), w.withText(d), true) },
		func() spelling { return w.chosenText(d) },
		func() spelling { return both("(%s ? %s : %s)", w.boolean(d), w.text(d), w.text(d)) },
		func() spelling { return both("(%s ?? %s)", w.optionalText(), w.text(d)) },
		func() spelling { return both("(%s ?? %s)", w.optionalText(), w.text(d)) },
		func() spelling { return both("(%s ?? %s ?? %s)", w.optionalText(), w.optionalText(), w.text(d)) },
		func() spelling { return w.part(w.text(d), d) },
		func() spelling { return both("strs[%s]", w.smallInt(d)) },
		func() spelling { return both("byID[%s]", same(w.of("n", "0", "1", "2", "m"))) },
		func() spelling { return both(w.of("upper", "lower", "trim")+"(%s)", w.text(d)) },
		func() spelling { return both("("+`"" + %s | `+w.of("upper", "trim", "Greet")+"())", w.text(d)) },
		func() spelling {
			return both(w.of("trimPrefix", "trimSuffix", "trim")+"(%s, %s)", w.text(d), w.text(0))
		},
		func() spelling { return both("replace(%s, %s, %s)", w.text(d), w.text(0), w.text(0)) },
		func() spelling { return both("string(%s + 1)", w.number(d)) },
		func() spelling { return both("string(!%s)", w.boolean(d)) },
		func() spelling { return both(`string("" + %s)`, w.text(d)) },
		func() spelling { return both("split(%s, %s)[%s]", w.text(d), w.text(0), w.smallInt(0)) },
		func() spelling { return both("join("+w.of("strs", "friend.Roles", "user.Roles")+", %s)", w.text(0)) },
		func() spelling { return both(`Greet("" + %s)`, w.text(d)) },
		func() spelling { return both("toBase64(%s)", w.text(d)) },
		func() spelling { return w.predicateText(d) },
	)
}

func (w *writer) textLeaf() spelling {
	switch w.elem {
	case "text":
		if w.IntN(2) == 0 {
			return same("#")
		}
	case "label":
		if w.IntN(2) == 0 {
			return spelling{"#", "basic(#)"}
		}
	case "pointer":
		if w.IntN(2) == 0 {
			return same(w.of(".Name", "#.Full()", `(#?.Name ?? "none")`, "string(#.Rank() + 1)"))
		}
	case "user":
		if w.IntN(2) == 0 {
			return w.one(func() spelling { return same(w.of(".Name", "#.Full()", ".Work.City")) }, func() spelling { return spelling{"#.Label", "basic(#.Label)"} })
		}
	}
	if w.IntN(12) == 0 {
		return spelling{"friend.Label", "basic(friend.Label)"}
	}
	return same(w.of("s", "t", `"a"`, `""`, `"gold"`, `"ü"`, `","`, "label", `("" + ps)`, "friend.Name", "user.Name", "user.Home.City", "friend.Full()", "user.Full()", "friend.Work.City", "s", "t"))
}

// withText is a value that is no string and has a text.
func (w *writer) withText(depth int) spelling {
	return w.one(
		func() spelling {
			return same(w.of("i8", "i64", "u8", "u64", "n", "kind", "size", "shade", "ok", "flag", "pn", "pb", "friend.Level", "took"))
		},
		func() spelling { return both("(%s + 0)", w.integer(depth)) },
		func() spelling { return w.boolean(depth) },
		func() spelling { return same("friend.Kind") },
	)
}

// joined is "+" between a text and a value that has one.
func (w *writer) joined(text, value spelling, swap bool) spelling {
	if swap {
		return spelling{"(" + value.ours + " + (" + text.ours + `))`, "(text(" + value.theirs + ") + " + text.theirs + ")"}
	}
	return spelling{"(" + text.ours + " + " + value.ours + ")", "(" + text.theirs + " + text(" + value.theirs + "))"}
}

// chosenText is the text of what is chosen.
func (w *writer) chosenText(d int) spelling {
	cond, a, b := w.boolean(d), w.withText(0), w.text(0)
	return spelling{
		`("=" + (` + cond.ours + " ? " + a.ours + " : " + b.ours + "))",
		`("=" + text(` + cond.theirs + " ? " + a.theirs + " : " + b.theirs + "))",
	}
}

// part is a slice of a text.
func (w *writer) part(text spelling, d int) spelling {
	switch w.IntN(3) {
	case 0:
		return both("(%s)[%s:]", text, w.smallInt(d))
	case 1:
		return both("(%s)[:%s]", text, w.smallInt(d))
	}
	return both("(%s)[%s:%s]", text, w.smallInt(d), w.smallInt(d))
}

func (w *writer) optional() spelling { return same(w.of("pb", "user?.Admin")) }

func (w *writer) optionalText() spelling {
	return same(w.of("ps", "user?.Name", "user?.Home?.City", "friend.Home?.City", "friend.Nick", "user?.Nick", "user?.Home.City", "user?.Full()",
		"user?.Home?.Line()", "friend.Home?.Next?.City"))
}

func (w *writer) optionalInt() spelling {
	return same(w.of("pn", "user?.Age", "user?.Home?.Zip", "friend.Home?.Next?.Zip", "user?.Level", "user?.Rank()", "user?.Work.Zip", "user?.Limits?.gold"))
}

func (w *writer) nilable() spelling {
	return w.one(
		func() spelling { return w.optionalText() },
		func() spelling { return w.optionalInt() },
		func() spelling {
			return same(w.of("user", "friend.Home", "ints", "limits", "user?.Home", "strs", "friend.Home?.Next", "pn"))
		},
	)
}

func (w *writer) countable(depth int) spelling {
	return w.one(
		func() spelling { return w.text(depth) },
		func() spelling { return w.list(depth) },
		func() spelling {
			return same(w.of("limits", "byID", "strs", "users", "friend.Roles", "user.Roles", "array", "labels"))
		},
	)
}

// list is a list of numbers.
func (w *writer) list(depth int) spelling {
	if depth <= 0 {
		return same(w.of("ints", "ints", "wide", "bytes", "floats", "ints"))
	}
	d := depth - 1
	return w.one(
		func() spelling { return same(w.of("ints", "wide", "bytes", "floats", "ints")) },
		func() spelling { return both(w.of("ints", "wide")+"[%s:%s]", w.smallInt(d), w.smallInt(d)) },
		func() spelling { return both("[%s, %s, %s]", w.integer(d), w.integer(d), w.integer(d)) },
		func() spelling { return w.filtered(d) },
		func() spelling { return w.mapped(d) },
	)
}

func (w *writer) pattern() string {
	return w.of(`"^[a-z]+$"`, `"a"`, `"^.$"`, "`^\\d+$`", `"ü|ö"`, `"(?i)GOLD"`, `"^$"`)
}

func (w *writer) membership(d int) spelling {
	op := w.of("in", "not in")
	return w.one(
		func() spelling { return both("(%s "+op+" [%s, %s, %s])", w.text(d), w.text(0), w.text(0), w.text(0)) },
		func() spelling { return both("(%s "+op+` ["a", "gold"])`, w.text(d)) },
		func() spelling { return both("(%s + 0 "+op+" [1, 2, 3])", w.integer(d)) }, // expr takes any other type for a mistake
		func() spelling { return both("(%s "+op+" [%s, 2.5])", w.number(d), w.number(0)) },
		func() spelling { return both("(%s "+op+" ints)", w.integer(d)) },
		func() spelling { return both("(%s "+op+" wide)", w.number(d)) },
		func() spelling { return both("(%s "+op+" bytes)", w.integer(d)) },
		func() spelling {
			return both("(%s "+op+" "+w.of("strs", "friend.Roles", "user.Roles", "user?.Roles")+")", w.text(d))
		},
		func() spelling { return both("(%s "+op+" limits)", w.text(d)) },
		func() spelling { return both("(%s "+op+" byID)", same(w.of("n", "m", "1", "len(s)"))) },
		func() spelling { return both("(%s "+op+" 1..5)", w.integer(d)) },
		func() spelling { return both("(%s "+op+" ["+w.of("1", "n")+`, 2])`, w.optionalInt()) },
		func() spelling { return both("(%s "+op+` ["a", s])`, w.optionalText()) },
		func() spelling {
			return same("(" + w.of(`"Age"`, `"age"`, `"Name"`) + " " + op + " " + w.of("user", "friend", "user?.Home") + ")")
		},
		func() spelling { return both("(%s "+op+" array)", w.integer(d)) },
	)
}

func (w *writer) duration(d int) spelling {
	return w.one(
		func() spelling { return same("took") },
		func() spelling { return same(w.of(`duration("1s")`, `duration("5m")`)) },
		func() spelling {
			return both("(took "+w.of("+", "-", "*")+" %s)", same(w.of("took", `duration("1h")`)))
		},
		func() spelling { return both("(%s * took)", w.integer(d)) },
	)
}

func (w *writer) time(d int) spelling {
	return w.one(
		func() spelling { return same("when") },
		func() spelling { return both("(when "+w.of("+", "-")+" %s)", w.duration(d)) },
	)
}

// within writes a part of a predicate about elements of a type.
func (w *writer) within(elem string, write func() spelling) spelling {
	outer := w.elem
	w.elem = elem
	defer func() { w.elem = outer }()
	return write()
}

// elements are lists by the types of their elements.
var elements = map[string][]string{
	"int":   {"ints", "ints", "1..4"},
	"text":  {"strs", "friend.Roles", `split(s, ",")`},
	"label": {"labels"},
	"user":  {"users", "users", "[friend, friend]"},

	"pointer": {"ptrs", "ptrs[0:2]"},
}

// each is a list and a predicate for its elements.
func (w *writer) each(write func() spelling) (list, body spelling) {
	elem := w.of("int", "text", "label", "user", "int", "user", "pointer")
	return same(w.of(elements[elem]...)), w.within(elem, write)
}

func (w *writer) predicateBool(d int) spelling {
	list, body := w.each(func() spelling { return w.boolean(d) })
	return both(w.of("any", "all", "none", "one")+"(%s, %s)", list, body)
}

func (w *writer) predicateInt(d int) spelling {
	return w.one(
		func() spelling {
			list, body := w.each(func() spelling { return w.boolean(d) })
			return both("count(%s, %s)", list, body)
		},
		func() spelling {
			list, body := w.each(func() spelling { return w.integer(d) })
			return both("sum(%s, %s)", list, body)
		},
		func() spelling {
			list, body := w.each(func() spelling { return w.boolean(d) })
			return both("(findIndex(%s, %s) ?? %s)", list, body, w.integer(d))
		},
		func() spelling { return both("(first(%s) ?? %s)", same("ints"), w.integer(d)) },
		func() spelling {
			return both("(find(ints, %s) ?? %s)", w.within("int", func() spelling { return w.boolean(d) }), w.integer(0))
		},
		func() spelling { return both("len(%s)", w.filtered(d)) },
		func() spelling { return both("sum(ints) + len(uniq(strs)) + %s", w.integer(0)) },
		func() spelling { return both("reduce(ints, #acc + #, %s)", w.integer(0)) },
		func() spelling {
			return both("len(groupBy(users, %s))", w.within("user", func() spelling { return w.text(0) }))
		},
	)
}

func (w *writer) predicateText(d int) spelling {
	return w.one(
		func() spelling {
			list, body := w.each(func() spelling { return w.text(d) })
			return both("join(map(%s, %s), \",\")", list, body)
		},
		func() spelling { return both("(last(strs) ?? %s)", w.text(d)) },
		func() spelling { return both(`join(sort(strs), "")`) },
		func() spelling {
			return both("toJSON(map(ints, %s))", w.within("int", func() spelling { return w.integer(0) }))
		},
		func() spelling {
			return both(`join(map(sortBy(users, %s), .Name), "/")`, w.within("user", func() spelling { return w.integer(0) }))
		},
	)
}

func (w *writer) filtered(d int) spelling {
	return both("filter(ints, %s)", w.within("int", func() spelling { return w.boolean(d) }))
}

func (w *writer) mapped(d int) spelling {
	return both("map(ints, %s)", w.within("int", func() spelling { return w.integer(d) }))
}
