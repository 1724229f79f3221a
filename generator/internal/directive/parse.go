package directive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// Parse reads one directive. text is the comment from [Prefix] on, one line,
// with or without a carriage return at its end. It reports whatever is wrong
// with the line itself: unknown items, repeated ones, values that are no
// value of their item, things that are not supported yet. What only the whole
// rule can tell is for [Check].
//
// Items with a problem are returned too, as Bad, under the name that they
// were most likely meant to have.
func Parse(text string) (Directive, []Problem) {
	p := &parser{scanner: scanner{text: oneLine(text)}}
	if end := len(p.text) - 1; strings.HasSuffix(p.text, `\`) {
		p.problem(end, "a directive is one line: the next one starts with %sand", Prefix)
		p.text = strings.TrimRight(p.text[:end], blanks)
	}
	if !Is(text) {
		p.problem(0, "a directive starts with %s", Prefix)
		return Directive{Broken: true}, p.problems
	}
	p.pos = len(Prefix)
	p.directive()
	p.dir.Broken, p.dir.Bad = p.unread, len(p.problems) > 0
	return p.dir, p.problems
}

func oneLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(line, blanks)
}

type parser struct {
	scanner
	dir    Directive
	valued bool // a value stands behind the name that is read
}

func (p *parser) directive() {
	if p.atBlank() {
		p.problem(p.pos, "no blank may follow %s", Prefix)
		p.skipBlanks()
	}
	p.kind()
	first := true
	for p.skipBlanks(); !p.atEnd(); p.skipBlanks() {
		p.item(first)
		first = false
	}
	if first && p.dir.Kind != Skip {
		p.broken(0, "the directive has no items: write some, as in %s", p.dir.Kind.Spec().example())
	}
}

// broken is problem for text that cannot be told to be one item or another.
func (p *parser) broken(off int, format string, args ...any) {
	p.problem(off, format, args...)
	p.unread = true
}

// kind reads the word of another kind of directive than a rule.
func (p *parser) kind() {
	word := p.peekWord()
	after := p.pos + len(word)
	spec, ok := lookupKind(word)
	if !ok || after < len(p.text) && !isBlank(p.text[after]) {
		return
	}
	p.dir.Kind = spec.Kind
	p.pos = after
}

func (p *parser) item(first bool) {
	off := p.pos
	name := p.name()
	switch {
	case p.dir.Kind == Skip && !known(name):
		p.broken(off, `%s takes no items: a comment starts with " //"`, p.dir.Kind)
		p.pos = len(p.text)
	case name == "":
		p.junk(off)
	case p.accept('='):
		p.value(off, name)
	case p.done() || p.atBlank():
		p.bare(off, name, first)
	default:
		p.joined(off, name)
	}
}

// name reads a word, or several that are joined by hyphens.
func (p *parser) name() string {
	off := p.pos
	for p.word() != "" && p.at("-") {
		next := p.scanner
		next.pos++
		if next.peekWord() == "" {
			break
		}
		p.pos++
	}
	return p.text[off:p.pos]
}

// junk skips what is no item at all.
func (p *parser) junk(off int) {
	end := plainEnd(p.text, off)
	if end == off {
		p.stop(off)
		return
	}
	p.broken(off, "%s is no item: items are name=value or a flag, separated by blanks", quote(p.text[off:end]))
	p.pos = end
}

// joined reports a word that something other than "=" follows.
func (p *parser) joined(off int, name string) {
	end := max(plainEnd(p.text, off), p.pos)
	rest := p.text[p.pos:end]
	switch {
	case rest == "":
		p.flag(off, name)
		p.stop(p.pos)
	case rest[0] == ':' && takesValue(name) && suggest.Nearest(name, p.names()) != "":
		p.problem(off, `write %s=..., with "=" and not ":"`, name)
		p.pos++
		p.skipBlanks()
		p.value(off, name)
	default:
		p.broken(off, "%s is no item: items are name=value or a flag, separated by blanks", quote(name+rest))
		p.pos = end
	}
}

// bare reads a word without a value.
func (p *parser) bare(off int, name string, first bool) {
	switch near := meantKind(name); {
	case assigned(strings.TrimLeft(p.text[p.pos:], blanks)):
		p.spaced(off, name)
	case first && p.dir.Kind == Rule && near != "" && meantItem(name, p.names()) == "":
		p.broken(off, "unknown directive %s%s; did you mean %s%s?", Prefix, name, Prefix, near)
		spec, _ := lookupKind(near)
		p.dir.Kind = spec.Kind
	case p.dir.Kind == Wrap && !known(name):
		p.broken(off, "%s: write as=%s", p.dir.Kind, name)
	default:
		p.flag(off, name)
	}
}

// spaced reads the value of an item with blanks before its "=".
func (p *parser) spaced(off int, name string) {
	if takesValue(name) {
		p.problem(off, `no blanks may stand around "=": write %s=...`, name)
	}
	p.skipBlanks()
	p.accept('=')
	p.skipBlanks()
	p.value(off, name)
}

// takesValue reports whether name may be an item with a value.
func takesValue(name string) bool {
	spec, ok := Lookup(name)
	return !ok || spec.Value != Flag
}

func (p *parser) flag(off int, name string) {
	spec := p.spec(off, name)
	if spec == nil {
		return
	}
	item := Item{Spec: spec, Name: spec.Name, Off: off, ValueOff: p.pos, End: p.pos, Bad: spec.Name != name}
	if spec.Value != Flag && !item.Bad {
		p.problem(off, "%s needs a value: write %s=%s", name, name, spec.example())
		item.Bad = true
	}
	p.add(item)
}

// value reads the value of name=value.
func (p *parser) value(off int, name string) {
	p.valued = true
	spec := p.spec(off, name)
	p.valued = false
	if spec == nil {
		p.skipValue(Key)
		p.blankAfterValue()
		return
	}
	item := Item{Spec: spec, Name: spec.Name, Off: off, Bad: spec.Name != name}
	before := len(p.problems)
	p.blanksBeforeValue(off, name)
	item.ValueOff = p.pos
	p.skipValue(spec.Value)
	item.End = p.pos
	item.Value = strings.TrimRight(p.text[item.ValueOff:item.End], blanks)
	item.End = item.ValueOff + len(item.Value)
	p.grouped(&item)
	item.Bad = item.Bad || len(p.problems) > before
	p.check(&item)
	p.add(item)
	p.blankAfterValue()
}

func (p *parser) blankAfterValue() {
	if p.peekWord() == "" {
		return // whatever is wrong here is no item, and is reported as that
	}
	p.problem(p.pos, "a blank is missing before %s", quote(p.text[p.pos:plainEnd(p.text, p.pos)]))
}

// blanksBeforeValue reports blanks after "=" when a value, and no further
// item, follows them.
func (p *parser) blanksBeforeValue(off int, name string) {
	if !p.atBlank() {
		return
	}
	next := p.scanner
	next.skipBlanks()
	word := next.word()
	if next.atEnd() && word == "" || next.accept('=') || known(word) {
		return
	}
	p.problem(off, `no blanks may stand around "=": write %s=...`, name)
	p.skipBlanks()
}

// check checks the value of an item and sets what it means.
func (p *parser) check(item *Item) {
	switch {
	case item.Bad:
	case item.Spec.Later:
		p.problem(item.Off, "%s is not supported yet", item.Name)
		item.Bad = true
	case item.Spec.Value == Flag:
		p.problem(item.Off, "%s is a flag and takes no value", item.Name)
		item.Bad = true
	case item.Value == "":
		p.problem(item.Off, "%s has no value: write %s=%s", item.Name, item.Name, item.Spec.example())
		item.Bad = true
	default:
		if text := readers[item.Spec.Value](item); text != "" {
			p.problem(item.Off, "%s", text)
			item.Bad = true
		}
	}
}

// add keeps an item, and reports it when the line already has one.
func (p *parser) add(item Item) {
	if item.Spec.Value == Flag && !item.Bad && item.Spec.Later {
		p.problem(item.Off, "%s is not supported yet", item.Name)
		item.Bad = true
	}
	if _, again := p.dir.Item(item.Name); again {
		p.problem(item.Off, "%s is given twice", item.Name)
		return
	}
	p.dir.Items = append(p.dir.Items, item)
}

// spec returns the entry for name in this kind of directive. It reports a
// name that has none, and returns the nearest entry, or nil.
func (p *parser) spec(off int, name string) *Spec {
	spec, ok := Lookup(name)
	switch {
	case ok && slices.Contains(spec.In, p.dir.Kind):
		return spec
	case ok:
		hint := ""
		if i := slices.IndexFunc(p.names(), func(here string) bool { return also(here, name) }); i >= 0 {
			hint = "; did you mean " + p.names()[i] + "?"
		}
		p.problem(off, "%s cannot stand in %s, only in %s%s", name, p.dir.Kind, spec.In[0], hint)
		return nil
	}
	text, spec := p.unknown(name)
	p.problem(off, "%s", text)
	return spec
}

// names are the items that may stand here.
func (p *parser) names() []string {
	var names []string
	for _, s := range Items {
		if slices.Contains(s.In, p.dir.Kind) {
			names = append(names, s.Name)
		}
	}
	return names
}

// meantKind is the word of the kind of directive that a word was meant for,
// or "".
func meantKind(word string) string {
	for _, k := range Kinds {
		if slices.Contains(k.Also, plain(word)) {
			return k.Name
		}
	}
	return suggest.Nearest(word, kindNames())
}

func kindNames() []string {
	var names []string
	for _, k := range Kinds {
		if k.Name != "" {
			names = append(names, k.Name)
		}
	}
	return names
}

func known(name string) bool {
	_, ok := Lookup(name)
	return ok
}

// quote shows text of the user's, shortened.
func quote(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	if strings.ContainsRune(s, '"') {
		return "`" + s + "`"
	}
	return fmt.Sprintf("%q", s)
}
