package naming

import (
	"go/token"
	"unicode"
	"unicode/utf8"
)

// Wrapper is the name of the type that limits the methods of the named type:
// exported where that is.
func Wrapper(typ string) string {
	if token.IsExported(typ) {
		return "RateLimited" + typ
	}
	return "rateLimited" + upperFirst(typ)
}

// Constructor is the name of the function that makes the named wrapper.
func Constructor(wrapper string) string {
	if token.IsExported(wrapper) {
		return "New" + wrapper
	}
	return "new" + upperFirst(wrapper)
}

// Embedded is the name under which the wrapper of the named type embeds one of
// its fields.
func Embedded(typ, field string) string { return "rateLimited" + upperFirst(typ) + upperFirst(field) }

// Guard is the name of the type that stands for the named one as it was. It
// is what the compiler speaks of when that has changed. No two types have one in
// common, as their files may be generated in separate runs.
func Guard(typ string) string { return "runGoGenerateFor" + typ }

// Rule is the unexported name of the variable that holds the rule of a method,
// or of one of its dimensions.
func Rule(typ, method, dimension string) string {
	if dimension == "ip" {
		dimension = "IP"
	}
	return lowerFirst(typ) + upperFirst(method) + upperFirst(dimension)
}

// Request is the name of the function that makes the requests of the named
// rule.
func Request(rule string) string { return rule + "Request" }

// When is the name of the function that tells whether the named rule applies.
func When(rule string) string { return rule + "When" }

func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// lowerFirst lowers the first word of s, all of it where it is an initialism:
// SMSService becomes smsService.
func lowerFirst(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && startsWord(runes[i:]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

func startsWord(runes []rune) bool {
	return len(runes) > 1 && unicode.IsLower(runes[1])
}
