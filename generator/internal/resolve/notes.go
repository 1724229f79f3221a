package resolve

import (
	"cmp"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/collect"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/diag"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/keyexpr"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/load"
	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// advise notes what is right and was hardly meant in the rules of a method.
func (r *resolver) advise(m *method) {
	for i, rule := range m.Limit.Rules {
		source := m.sources[i]
		if source.Bad {
			continue
		}
		r.constantKey(m, source, rule)
		r.unseenMessage(m, source, rule)
	}
	for i, source := range m.source.Rules {
		same := func(other collect.Rule) bool { return sameItems(source, other) }
		if j := slices.IndexFunc(m.source.Rules[:i], same); j >= 0 {
			r.noteAt(m, source, directive.Item{}, "the rule at %s is the same: a call takes from both", r.place(m.source.Rules[j].Start()))
		}
	}
}

// noteAt notes something about an item of a rule, or about the rule.
func (r *resolver) noteAt(m *method, rule collect.Rule, item directive.Item, format string, args ...any) {
	pos := rule.Pos(item.Line, item.Off)
	r.add(m, rule, item, pos, diag.Problem{Text: fmt.Sprintf(format, args...), Note: true})
}

func (r *resolver) constantKey(m *method, source collect.Rule, rule *model.Rule) {
	item, ok := source.Item("key")
	if !ok || rule.Key == nil || len(rule.Key.Pieces) != 1 || rule.Key.Pieces[0].Kind != keyexpr.Literal {
		return
	}
	text := rule.Key.Pieces[0].Text
	switch written := cmp.Or(interpolated(text), m.formatted(text)); {
	case m.hasParam(text):
		r.noteAt(m, source, item, "the key is the text %q for every call; the parameter is written key=%s", text, text)
	case written != "":
		r.noteAt(m, source, item, "the key is the same for every call: what is put into a text is written key=%s", written)
	case !has(source, "name"):
		r.noteAt(m, source, item, "the key is the same for every call: leave key= out if that is meant")
	}
}

func (m *method) hasParam(name string) bool {
	return slices.ContainsFunc(slices.Collect(m.sig.Params().Variables()), func(v *types.Var) bool { return v.Name() == name })
}

// inText matches what other languages put into a text.
var inText = regexp.MustCompile(`[$#%]?\{\{?\s*\.?([\p{L}_][\p{L}\d_.]*)\s*\}?\}`)

// inFormat matches the verbs of a format.
var inFormat = regexp.MustCompile(`%[sdvq]\b`)

// formatted writes a text with verbs as the expression that it was meant for, in
// which the first parameters follow them, "" for one without.
func (m *method) formatted(text string) string {
	params := m.inKeys()
	i := 0
	named := inFormat.ReplaceAllStringFunc(text, func(verb string) string {
		if i++; i <= len(params) {
			return "{" + params[i-1] + "}"
		}
		return verb
	})
	if i > len(params) {
		return ""
	}
	return interpolated(named)
}

// inKeys are the names of the parameters that may stand in a key.
func (m *method) inKeys() []string {
	var names []string
	for v := range m.sig.Params().Variables() {
		if !isContext(v.Type()) && v.Name() != "" && v.Name() != "_" {
			names = append(names, v.Name())
		}
	}
	return names
}

// interpolated writes a text with parts as the expression that it was meant
// for, "" for one without.
func interpolated(text string) string {
	var parts []string
	literal := func(s string) {
		if s != "" {
			parts = append(parts, strconv.Quote(s))
		}
	}
	last := 0
	for _, at := range inText.FindAllStringSubmatchIndex(text, -1) {
		literal(text[last:at[0]])
		parts = append(parts, text[at[2]:at[3]])
		last = at[1]
	}
	if last == 0 {
		return ""
	}
	literal(text[last:])
	return strings.Join(parts, "+")
}

// unseenMessage notes a text that stands in an error which nobody gets.
func (r *resolver) unseenMessage(m *method, source collect.Rule, rule *model.Rule) {
	item, ok := source.Item("message")
	if ok && !source.Elsewhere(item.Line) && rule.Fallback != nil && rule.Fallback.Args != model.WithErr {
		r.noteAt(m, source, item, "nobody sees the message: %s answers, and takes no *ratelimit.LimitError", rule.Fallback.Text)
	}
}

// sameItems reports whether two rules have the same items.
func sameItems(a, b collect.Rule) bool {
	return len(a.Items) == len(b.Items) && !slices.ContainsFunc(a.Items, func(item directive.Item) bool {
		other, ok := b.Item(item.Name)
		return !ok || other.Value != item.Value
	})
}

// unusedImports notes the imports that directives alone use. The generated
// file has its own, and Go wants the others to be used as well.
func (r *resolver) unusedImports() {
	for _, err := range r.pkg.TypeErrors {
		if !strings.HasSuffix(err.Msg, "used") {
			continue // all else that stands at an import is about having it
		}
		for _, f := range r.pkg.Files {
			for _, spec := range f.Syntax.Imports {
				if spec.Pos() <= err.Pos && err.Pos < spec.End() {
					r.unusedImport(f, r.pkg.Info.PkgNameOf(spec))
				}
			}
		}
	}
}

func (r *resolver) unusedImport(f *load.File, name *types.PkgName) {
	if name == nil {
		return
	}
	if use := directiveUse(f, name); use != "" {
		r.problems.Notef(r.fset.PositionFor(name.Pos(), false),
			"%s is imported for directives alone, which Go does not take for a use: add var _ = %s", name.Imported().Name(), use)
	}
}

// directiveUse is what a directive of the file names of a package, or "".
func directiveUse(f *load.File, name *types.PkgName) string {
	qualifier := name.Name() + "."
	if name.Name() == "." {
		qualifier = ""
	}
	member := regexp.MustCompile(`\b` + regexp.QuoteMeta(qualifier) + `(\p{Lu}\w*)`)
	for _, group := range f.Syntax.Comments {
		for _, comment := range group.List {
			if !directive.Is(comment.Text) {
				continue
			}
			for _, found := range member.FindAllStringSubmatch(comment.Text, -1) {
				if name.Imported().Scope().Lookup(found[1]) != nil {
					return qualifier + found[1]
				}
			}
		}
	}
	return ""
}
