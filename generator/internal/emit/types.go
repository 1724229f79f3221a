package emit

import (
	"go/types"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/model"
)

// typ is a type as the source writes it, aliases included. The qualifier marks
// each package so that its path can be handed to jennifer.
func typ(t types.Type) *jen.Statement {
	if pkg, name, ok := model.TypeName(t); ok && pkg == nil {
		return jen.Id(name)
	} else if ok {
		return jen.Qual(pkg.Path(), name)
	}
	const mark = "\x00"
	text := types.TypeString(t, func(p *types.Package) string { return mark + p.Path() + mark })
	code := &jen.Statement{}
	parts := strings.Split(quoted.ReplaceAllStringFunc(text, raw), mark)
	addText(code, parts[0])
	for i := 1; i < len(parts); i += 2 {
		name, rest := cutIdent(strings.TrimPrefix(parts[i+1], "."))
		code.Qual(parts[i], name)
		addText(code, rest)
	}
	return code
}

// quoted matches the tags of fields in the text of a type.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// raw is a tag between backquotes, as people write it, where it can be.
func raw(tag string) string {
	text, err := strconv.Unquote(tag)
	if err != nil || !strconv.CanBackquote(text) {
		return tag
	}
	return "`" + text + "`"
}

func addText(code *jen.Statement, text string) {
	if text != "" {
		code.Id(text)
	}
}

func cutIdent(s string) (ident, rest string) {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}
