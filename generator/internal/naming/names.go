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

// Rule is the unexported name of the variable that holds the rule of a method.
func Rule(typ, method string) string {
	return lowerFirst(typ) + upperFirst(method)
}

// Key is the name of the function that builds the key of the named rule.
func Key(rule string) string { return rule + "Key" }

func upperFirst(s string) string {
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
