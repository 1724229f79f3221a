package directive

import (
	"go/token"
	"slices"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// unknown returns what is wrong with a name that no item has, and the item
// that it was most likely meant for, or nil. The scanner stands behind the
// name, or at its value.
func (p *parser) unknown(name string) (text string, meant *Spec) {
	text = "unknown item " + quote(name)
	flags := p.flags()
	near := meantItem(name, p.names())
	switch {
	case near != "":
		meant, _ = Lookup(near)
		return text + "; did you mean " + near + "?", meant
	case namesAlgorithm(name) && len(flags) > 0:
		return text + ": an algorithm is a flag: write " + p.algorithm(), nil
	case p.valued || len(flags) == 0:
		return text + ": the items are " + list(slices.DeleteFunc(p.names(), later)), nil
	}
	text += ": the flags are " + list(flags)
	if _, has := p.dir.Item("key"); !has && token.IsIdentifier(name) {
		text += ", and a key is written key=" + name
	}
	return text, nil
}

func later(name string) bool {
	spec, _ := Lookup(name)
	return spec.Later
}

// meantItem is the one of the names that a misspelt name is nearest to, or
// that others have under it, or "".
func meantItem(name string, names []string) string {
	for _, known := range names {
		if also(known, name) {
			return known
		}
	}
	return suggest.Nearest(name, names)
}

// also reports whether others call an item by that name.
func also(item, name string) bool {
	spec, _ := Lookup(item)
	return slices.Contains(spec.Also, plain(name))
}

func (p *parser) flags() []string {
	var flags []string
	for _, name := range p.names() {
		if spec, _ := Lookup(name); spec.Value == Flag {
			flags = append(flags, name)
		}
	}
	return flags
}

// algorithm is the algorithm that is written as a value here, or all there
// are.
func (p *parser) algorithm() string {
	end := plainEnd(p.text, p.pos)
	word := strings.Trim(p.text[p.pos:end], "\"'`")
	if spec, ok := Lookup(meantItem(word, p.names())); ok && spec.Group == "algorithm" {
		return spec.Name
	}
	var all []string
	for _, spec := range Items {
		if spec.Group == "algorithm" {
			all = append(all, spec.Name)
		}
	}
	return choice(all)
}

// namesAlgorithm reports whether a name is one under which others have the
// algorithm.
func namesAlgorithm(name string) bool {
	return slices.Contains([]string{"algorithm", "algo", "strategy", "type", "mode", "kind", "policy"}, plain(name))
}

// plain is a name without what people put between its words.
func plain(name string) string {
	return strings.ToLower(betweenWords.Replace(name))
}

var betweenWords = strings.NewReplacer("_", "", "-", "", " ", "")

// list joins words as "a, b and c".
func list(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
