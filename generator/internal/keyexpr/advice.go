package keyexpr

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// describe names v and says what it is.
func (c *compiler) describe(node ast.Node, v *value) string {
	src := source(node)
	switch {
	case isNil(v.typ):
		return "nil"
	case isUntyped(v.typ) && (v.val.String() == src || v.val.ExactString() == src):
		return "the constant " + src
	case isUntyped(v.typ):
		return fmt.Sprintf("%s (the constant %s)", src, v.val)
	}
	return fmt.Sprintf("%s of type %s", src, c.typeName(v.typ))
}

// advice says that v has no text, and a way out.
func (c *compiler) advice(node ast.Node, v *value) string {
	if isNil(v.typ) {
		return "nil has no text"
	}
	if typeParam(v.typ) != nil {
		return fmt.Sprintf("%s has no text: it may be of a type that has none; constrain it, such as to ~string or fmt.Stringer", c.describe(node, v))
	}
	if _, list := node.(*ast.ArrayNode); list {
		return fmt.Sprintf("%s is no part of a text: a list is the whole of a key, as in [\"a\", b, c]", source(node))
	}
	return fmt.Sprintf("%s has no text: %s", c.describe(node, v), c.wayOut(sourceOperand(node), v))
}

func (c *compiler) wayOut(src string, v *value) string {
	const function = "pass it to a function that returns a string"
	switch {
	case isTime(v.typ):
		return fmt.Sprintf(`write %s.Unix() or %s.Format("2006-01-02")`, src, src)
	case isError(v.typ):
		return fmt.Sprintf("write %s.Error()", src)
	}
	switch t := v.typ.Underlying().(type) {
	case *types.Signature:
		if t.Params().Len() == 0 {
			return fmt.Sprintf("write %s()", src)
		}
		return "call it"
	case *types.Basic:
		if t.Info()&types.IsFloat != 0 {
			return "a float is written in many ways; " + function
		}
		return function
	case *types.Slice, *types.Array, *types.Map, *types.Chan:
		return function
	}
	if members := c.textMembers(v.typ); len(members) > 0 {
		return fmt.Sprintf("use a part of it, such as %s.%s", src, strings.Join(members, " or "+src+"."))
	}
	return function
}

// textMembers returns up to two fields or methods of t that have a text.
func (c *compiler) textMembers(t types.Type) []string {
	var members []string
	for _, m := range c.members(t) {
		if len(members) < 2 && c.memberHasText(m) {
			members = append(members, memberName(m))
		}
	}
	return members
}

func memberName(obj types.Object) string {
	if _, method := obj.(*types.Func); method {
		return obj.Name() + "()"
	}
	return obj.Name()
}

// memberHasText reports whether a field, or the result of a method without
// parameters, has a text. Methods that every type of some kind has are no
// help.
func (c *compiler) memberHasText(obj types.Object) bool {
	t := obj.Type()
	if sig, method := t.(*types.Signature); method {
		if sig.Params().Len() != 0 || sig.Results().Len() != 1 {
			return false
		}
		switch obj.Name() {
		case "String", "GoString", "Error":
			return false
		}
		t = sig.Results().At(0).Type()
	}
	if hasNoText(t) {
		return false
	}
	return stringMethod(t, false) != nil || is(t, types.IsString|types.IsInteger|types.IsBoolean)
}
