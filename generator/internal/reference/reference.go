// Package reference writes the reference of directives, docs/directives.md:
// prose of its own around what the tables of package directive say.
package reference

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"
	"text/template"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/directive"
)

//go:generate go test -run TestUpToDate -update .

//go:embed directives.md.tmpl
var page string

// Markdown returns the page.
func Markdown() ([]byte, error) {
	t, err := template.New("directives.md").Funcs(template.FuncMap{
		"heading": heading,
		"value":   value,
		"absent":  absent,
		"short":   short,
		"prose":   prose,
		"snippet": Snippet,
		"code":    code,
		"kinds":   kindUsage,
		"later":   later,
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, map[string]any{"Items": directive.Items, "Kinds": directive.Kinds})
	return out.Bytes(), err
}

// Snippet returns the usage of an item as Go code: a directive on a
// declaration, in which functions have no body.
func Snippet(s directive.Spec) string {
	if s.In[0] == directive.Wrap {
		return directive.Prefix + s.Usage + "\ntype mail struct{ base }"
	}
	return directive.Prefix + s.Usage + "\nfunc (m *Mail) Send(ctx context.Context, userID int64, to []string) error"
}

func heading(s directive.Spec) string {
	if s.Value == directive.Flag {
		return "`" + s.Name + "`"
	}
	return "`" + s.Name + "=`"
}

// value says what an item takes.
func value(s directive.Spec) string {
	var words []string
	for _, w := range s.Words {
		words = append(words, "`"+w+"`")
	}
	list := strings.Join(words, ", ")
	switch {
	case list == "":
		return s.Value.String()
	case s.Value == directive.Word:
		return list
	case s.Value == directive.WordList:
		return "some of " + list + ", joined by commas"
	}
	return s.Value.String() + ", or one of " + list
}

// absent says what holds without an item.
func absent(s directive.Spec) string {
	switch {
	case s.Later:
		return "(not supported yet)"
	case s.Required:
		return "required"
	}
	return s.Default
}

// short is the first sentence of an item's help.
func short(s directive.Spec) string {
	first, _, _ := strings.Cut(s.Doc, ". ")
	return prose(strings.TrimSuffix(first, "."))
}

var itemName = regexp.MustCompile(`\b[a-z]+=`)

// prose marks the names of items as code.
func prose(text string) string {
	return itemName.ReplaceAllStringFunc(text, func(name string) string {
		if _, ok := directive.Lookup(strings.TrimSuffix(name, "=")); ok {
			return "`" + name + "`"
		}
		return name
	})
}

// code indents code as markdown has it.
func code(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		if strings.TrimSpace(line) != "" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// kindUsage is the usage of a kind of directive as Go code.
func kindUsage(k directive.KindSpec) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(k.Usage)) {
		b.WriteString(strings.TrimLeft(line, "\t"))
	}
	return b.String()
}

// later lists what is refused for now.
func later() string {
	var names []string
	for _, s := range directive.Items {
		if s.Later {
			names = append(names, "`"+s.Name+"=`")
		}
	}
	return strings.Join(names, ", ")
}
