package keyexpr

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/ratelimitgen/ratelimitgen/generator/internal/suggest"
)

// unknown reports a name that nothing has, and what could have been meant.
func (c *compiler) unknown(n *ast.IdentifierNode, call bool) *value {
	name := n.Value
	if types.Universe.Lookup(name) != nil {
		return c.failf(n, "%s is built into Go and no part of expressions", name)
	}
	if meant := c.meant(name, call); meant != "" {
		return c.failf(n, "unknown name %s; did you mean %s?", name, meant)
	}
	return c.failf(n, "unknown name %s%s", name, c.known(n, call))
}

// meant is the name in scope, or the field or method of one, that was most
// likely meant with another name, or "".
func (c *compiler) meant(name string, call bool) string {
	names := c.candidates(call)
	alike := slices.IndexFunc(names, func(known string) bool { return sameLetters(known, name) })
	near := suggest.Nearest(name, names)
	switch {
	case alike >= 0:
		near = names[alike]
	case slices.Contains([]string{"self", "this", "me"}, name) && c.receiver() != "":
		near = c.receiver()
	}
	return cmp.Or(
		c.selection(call, func(_, member string) bool { return member == name }),
		c.selection(call, func(owner, member string) bool { return alike < 0 && sameLetters(owner+member, name) }),
		near,
		c.selection(call, func(_, member string) bool { return nearMember(name, member) }),
		uncalled(name),
	)
}

// uncalled is the call of the function of ours that a name is, or "".
func uncalled(name string) string {
	i := slices.IndexFunc(oursNames, func(ours string) bool { return sameLetters(ours, name) })
	if i < 0 {
		return ""
	}
	return oursNames[i] + "()"
}

// nearMember reports whether a field or method may have been meant. Of short
// names too many are near.
func nearMember(name, member string) bool {
	return sameLetters(name, member) || len(name) > 3 && suggest.Nearest(name, []string{member}) != ""
}

// selection is the first field or method, of the receiver before those of the
// parameters, that fits, as it is written; for a call it is a method.
func (c *compiler) selection(call bool, fits func(owner, member string) bool) string {
	for _, v := range slices.Backward(c.scope.Vars) {
		if !v.named() || isContext(v.Type) {
			continue
		}
		for _, m := range c.members(v.Type) {
			_, method := m.(*types.Func)
			switch {
			case call && !method || !fits(v.Name, m.Name()):
			case call:
				return v.Name + "." + m.Name()
			default:
				return v.Name + "." + memberName(m)
			}
		}
	}
	return ""
}

// candidates are the names that can be written, for a call those of the language
// as well.
func (c *compiler) candidates(call bool) []string {
	if !call {
		return c.scope.names()
	}
	return slices.Concat(c.scope.names(), oursNames, builtinNames())
}

func (v Var) named() bool { return v.Name != "" && v.Name != "_" }

func (c *compiler) receiver() string {
	for _, v := range c.scope.Vars {
		if v.Receiver && v.named() {
			return v.Name
		}
	}
	return ""
}

func sameLetters(a, b string) bool {
	plain := strings.NewReplacer("_", "")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// known tells what there is instead of a name.
func (c *compiler) known(n *ast.IdentifierNode, call bool) string {
	rest := c.src[min(c.offset(n.Location())+len(n.Value), len(c.src)):]
	var names []string
	nameless := false
	for _, v := range c.scope.Vars {
		switch {
		case v.named():
			names = append(names, v.Name)
		case !isContext(v.Type):
			nameless = true
		}
	}
	switch {
	case strings.HasPrefix(rest, "."):
		return ": it is no parameter, and no package that the file imports"
	case call:
		return ": the package has no such function"
	case nameless:
		return ": a parameter or receiver must have a name to be used"
	case names == nil:
		return ""
	case len(names) == 1:
		return "; there is " + names[0]
	}
	return "; there are " + enumerate(names)
}

// enumerate joins names as "a, b and c", the first ones of many.
func enumerate(names []string) string {
	const most = 10
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "others")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
