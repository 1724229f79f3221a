package keyexpr

import (
	"go/types"

	"github.com/dave/jennifer/jen"
	"github.com/expr-lang/expr/ast"
)

type nativeFunc func(c *compiler, n *ast.BuiltinNode, args []*value) *value

// builtins are those of expr that take no predicate.
var builtins = map[string]builtinSpec{
	"len":    {params: "c", result: yields(intType), native: nativeLen},
	"int":    {params: "p", result: yields(intType), native: nativeInt},
	"float":  {params: "p", result: yields(floatType), native: nativeFloat},
	"string": {params: "a", result: yields(stringType), native: nativeString},
	"type":   {params: "a", result: yields(stringType)},

	"abs":    {params: "n", result: likeFirst, native: nativeAbs},
	"ceil":   {params: "n", result: yields(floatType), native: rounding("Ceil")},
	"floor":  {params: "n", result: yields(floatType), native: rounding("Floor")},
	"round":  {params: "n", result: yields(floatType), native: rounding("Round")},
	"min":    {params: "x+", result: extreme, native: nativeExtreme},
	"max":    {params: "x+", result: extreme, native: nativeExtreme},
	"mean":   {params: "x+", result: yields(floatType)},
	"median": {params: "x+", result: yields(floatType)},

	"trim":        {params: "s?s", result: yields(stringType), native: nativeTrim},
	"trimPrefix":  {params: "s?s", result: yields(stringType), native: trimming("TrimPrefix")},
	"trimSuffix":  {params: "s?s", result: yields(stringType), native: trimming("TrimSuffix")},
	"upper":       {params: "s", result: yields(stringType), native: onTexts("ToUpper", stringType)},
	"lower":       {params: "s", result: yields(stringType), native: onTexts("ToLower", stringType)},
	"split":       {params: "ss?i", result: yields(textList), native: splitting("Split")},
	"splitAfter":  {params: "ss?i", result: yields(textList), native: splitting("SplitAfter")},
	"replace":     {params: "sss?i", result: yields(stringType), native: nativeReplace},
	"repeat":      {params: "si", result: yields(stringType)},
	"join":        {params: "l?s", result: yields(stringType), native: nativeJoin},
	"indexOf":     {params: "ss", result: yields(intType), native: onTexts("Index", intType)},
	"lastIndexOf": {params: "ss", result: yields(intType), native: onTexts("LastIndex", intType)},
	"hasPrefix":   {params: "ss", result: yields(boolType), native: onTexts("HasPrefix", boolType)},
	"hasSuffix":   {params: "ss", result: yields(boolType), native: onTexts("HasSuffix", boolType)},

	"toJSON":     {params: "a", result: yields(stringType)},
	"fromJSON":   {params: "s", result: yields(anyType)},
	"toBase64":   {params: "s", result: yields(stringType), native: nativeBase64},
	"fromBase64": {params: "s", result: yields(stringType)},

	"now":      {params: "?a", result: timeResult("Time"), native: nativeNow},
	"duration": {params: "s", result: timeResult("Duration"), native: nativeDuration},
	"date":     {params: "a?aaa", result: timeResult("Time")},
	"timezone": {params: "s", result: yields(anyType)},

	"first":     {params: "l", result: elementResult, orNil: true},
	"last":      {params: "l", result: elementResult, orNil: true},
	"get":       {params: "aa", result: yields(anyType), orNil: true},
	"take":      {params: "li", result: listResult},
	"reverse":   {params: "l", result: listResult},
	"uniq":      {params: "l", result: listResult},
	"sort":      {params: "l?s", result: listResult},
	"concat":    {params: "l+", result: concatenation},
	"flatten":   {params: "l", result: yields(anyList)},
	"keys":      {params: "m", result: keyList},
	"values":    {params: "m", result: valueList},
	"toPairs":   {params: "m", result: yields(anyList)},
	"fromPairs": {params: "l", result: yields(types.NewMap(anyType, anyType))},

	"bitand":  {params: "ii", result: yields(intType), native: onBits("&", product)},
	"bitor":   {params: "ii", result: yields(intType), native: onBits("|", sum)},
	"bitxor":  {params: "ii", result: yields(intType), native: onBits("^", sum)},
	"bitnand": {params: "ii", result: yields(intType), native: onBits("&^", product)},
	"bitshl":  {params: "ii", result: yields(intType), native: onBits("<<", product)},
	"bitshr":  {params: "ii", result: yields(intType), native: onBits(">>", product)},
	"bitushr": {params: "ii", result: yields(intType)},
	"bitnot":  {params: "i", result: yields(intType), native: nativeBitnot},
}

var (
	textList = types.NewSlice(stringType)
	anyList  = types.NewSlice(anyType)
)

func yields(t types.Type) func(*compiler, []*value) types.Type {
	return func(*compiler, []*value) types.Type { return t }
}

func timeResult(name string) func(*compiler, []*value) types.Type {
	return func(c *compiler, _ []*value) types.Type { return c.timeType(name) }
}

func likeFirst(_ *compiler, args []*value) types.Type { return plainType(args[0].typ) }

func elementResult(_ *compiler, args []*value) types.Type {
	return elemOf(pointed(args[0].typ))
}

func listResult(_ *compiler, args []*value) types.Type {
	return types.NewSlice(elemOf(pointed(args[0].typ)))
}

func concatenation(c *compiler, args []*value) types.Type {
	t := listResult(c, args)
	for i := range args {
		if !types.Identical(t, listResult(c, args[i:])) {
			return anyList
		}
	}
	return t
}

func keyList(_ *compiler, args []*value) types.Type {
	if m, ok := pointed(args[0].typ).Underlying().(*types.Map); ok {
		return types.NewSlice(m.Key())
	}
	return anyList
}

func valueList(_ *compiler, args []*value) types.Type {
	if m, ok := pointed(args[0].typ).Underlying().(*types.Map); ok {
		return types.NewSlice(m.Elem())
	}
	return anyList
}

// extreme is the type of the least or greatest of numbers and the elements of
// lists.
func extreme(_ *compiler, args []*value) types.Type {
	var result types.Type
	for _, arg := range args {
		t := plainType(pointed(arg.typ))
		if classOf(t) == lists {
			t = plainType(elemOf(t))
		}
		switch k := classOf(t); {
		case k != integers && k != floats && k != dynamic:
			return nil
		case result == nil:
			result = t
		default:
			result = sharedType(result, t)
		}
	}
	return result
}

// strictArguments are arguments where nil is an error.
func (c *compiler) strictArguments(n *ast.BuiltinNode, args []*value) []*value {
	all := make([]*value, len(args))
	for i, arg := range args {
		all[i] = c.strict(n.Arguments[i], arg)
	}
	return all
}

// textArguments are strict arguments of type string, and int for others.
func (c *compiler) textArguments(n *ast.BuiltinNode, args []*value) []*value {
	all := c.strictArguments(n, args)
	for i, arg := range all {
		convert := c.asString
		if arg.class() == integers {
			convert = c.asInt
		}
		if all[i] = convert(n.Arguments[i], arg); all[i] == nil {
			return nil
		}
	}
	return all
}

// stringsCall is the call of a function of package strings.
func (c *compiler) stringsCall(n *ast.BuiltinNode, name string, t types.Type, args []*value) *value {
	args = c.textArguments(n, args)
	if args == nil {
		return nil
	}
	v := invoked(t, c.std("strings", name), args...)
	v.hint = n.Name
	return v
}

func onTexts(name string, t types.Type) nativeFunc {
	return func(c *compiler, n *ast.BuiltinNode, args []*value) *value { return c.stringsCall(n, name, t, args) }
}

func nativeTrim(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	if len(args) == 2 {
		return c.stringsCall(n, "Trim", stringType, args)
	}
	return c.stringsCall(n, "TrimSpace", stringType, args)
}

// trimming has a blank as its default.
func trimming(name string) nativeFunc {
	return func(c *compiler, n *ast.BuiltinNode, args []*value) *value {
		args = c.textArguments(n, args)
		switch len(args) {
		case 0:
			return nil
		case 1:
			args = append(args, blank())
		}
		return invoked(stringType, c.std("strings", name), args...)
	}
}

func blank() *value {
	v := derive(stringType)
	v.simple, v.code = true, func(*block) *jen.Statement { return jen.Lit(" ") }
	return v
}

// splitting has a form of its own where the number of parts is given.
func splitting(name string) nativeFunc {
	return func(c *compiler, n *ast.BuiltinNode, args []*value) *value {
		if len(args) == 3 {
			return c.stringsCall(n, name+"N", textList, args)
		}
		return c.stringsCall(n, name, textList, args)
	}
}

func nativeReplace(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	if len(args) == 4 {
		return c.stringsCall(n, "Replace", stringType, args)
	}
	return c.stringsCall(n, "ReplaceAll", stringType, args)
}

func nativeJoin(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	args = c.strictArguments(n, args)
	if !types.Identical(args[0].typ, textList) || args[0].list != nil {
		return nil
	}
	if len(args) == 1 {
		glue := derive(stringType)
		glue.simple, glue.code = true, func(*block) *jen.Statement { return jen.Lit("") }
		args = append(args, glue)
	}
	glue := args[1]
	if len(n.Arguments) == 2 {
		if glue = c.asString(n.Arguments[1], glue); glue == nil {
			return nil
		}
	}
	return invoked(stringType, c.std("strings", "Join"), args[0], glue)
}

func nativeBase64(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	args = c.textArguments(n, args)
	if args == nil || !c.predeclared(n, "byte") {
		return nil
	}
	encoding := c.std("encoding/base64", "StdEncoding")
	v := derive(stringType, args...)
	v.code = func(b *block) *jen.Statement {
		return encoding().Dot("EncodeToString").Call(jen.Index().Byte().Parens(args[0].code(b)))
	}
	return v
}

func nativeNow(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	if len(args) > 0 {
		return nil
	}
	return invoked(c.timeType("Time"), c.std("time", "Now"))
}

func nativeDuration(c *compiler, n *ast.BuiltinNode, args []*value) *value {
	args = c.textArguments(n, args)
	if args == nil {
		return nil
	}
	return c.attempted(invoked(c.timeType("Duration"), c.std("time", "ParseDuration"), args...), "duration")
}
