package keyexpr

import (
	"go/types"
	"strings"
	"testing"
)

// mark stands in a test's source where its problem is.
const mark = "@@"

// refusedTests are sources with the one problem that each has at its mark.
var refusedTests = []struct{ src, want string }{
	{`@@`, `the expression is empty`},
	{`(@@ok ? {"a": 1} : {"b": 2}).c + "x"`, `ok ? {a: 1} : {b: 2} comes from a map's literal, which can be looked into only where it is written, as in {...}["c"]`},
	{`@@   `, `the expression is empty`},
	{`@@"abc`, `the quoted string is not closed`},
	{`"a" + @@'b`, `the quoted string is not closed`},
	{"\"größe\" + @@`x", `the quoted string is not closed`},
	{`"a\@@q"`, `an escape in the quoted string is not known`},
	{`"a" + "b\x@@zz"`, `an escape in the quoted string is not known`},
	{`userID + "x" @@@ 3`, `the character '@' cannot stand in an expression`},
	{`"größe" + é@@@`, `the character '@' cannot stand in an expression`},
	{`"a" +@@`, `the expression is not complete`},
	{`"a" + @@)`, `unexpected ")"`},
	{`("a"@@`, `the expression is not complete`},
	{`normalize("a"@@`, `the expression is not complete`},
	{`f(@@`, `the expression is not complete`},
	{`"a" @@"b"`, `unexpected "b"`},
	{`"a" @@n`, `unexpected "n"`},
	{`mobile @@n`, `unexpected "n"`},
	{`a.@@`, `the expression is not complete`},
	{`mobile.@@`, `the expression is not complete`},
	{`mobile.@@(n)`, `the name of a field or method must follow the dot`},
	{`@@*n`, `unexpected "*"`},
	{`@@&n`, `unexpected "&"`},
	{`@@#`, `# stands only in the predicate of a builtin, such as any(list, # > 1)`},
	{`@@#mobile`, `#mobile is no expression: write mobile`},
	{`@@${mobile}`, `${mobile} is no expression: write mobile`},
	{`@@{{ .Mobile }}`, `{{ .Mobile }} is no expression: write mobile`},
	{`{nope@@}`, `unexpected "}"`},
	{`@@.x`, `unexpected "."`},
	{`@@::len(mobile)`, `"::" cannot stand in an expression`},
	{`@@user()`, `user of type auth.User is no function`},
	{`@@hash2(mobile)`, `unknown name hash2; did you mean hash?`},
	{`@@int64(n)`, `conversions such as int64() are not supported`},
	{`@@Kind(n)`, `conversions such as Kind() are not supported`},
	{`@@auth.Role(n)`, `auth.Role is a type and no value`},
	{`@@1.5`, `the constant 1.5 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`"a" + @@2.5`, `the constant 2.5 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`"a" + @@ratio`, `ratio of type float64 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`@@Ratio`, `Ratio (the constant 2.5) has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`"a" + @@when`, `when of type time.Time has no text: write when.Unix() or when.Format("2006-01-02")`},
	{`"a" + @@whenPtr`, `whenPtr of type *time.Time has no text: write whenPtr.Unix() or whenPtr.Format("2006-01-02")`},
	{`"a" + @@stamp`, `stamp of type Stamp has no text: write stamp.Unix() or stamp.Format("2006-01-02")`},
	{`"a" + @@err`, `err of type error has no text: write err.Error()`},
	{`"a" + @@failure`, `failure of type Failure has no text: write failure.Error()`},
	{`"a" + @@msg`, `msg of type *Message has no text: use a part of it, such as msg.Id or msg.Text`},
	{`"a" + @@req`, `req of type *Request has no text: use a part of it, such as req.Mobile or req.Kind`},
	{`"a" + @@val`, `val of type Request has no text: use a part of it, such as val.Mobile or val.Kind`},
	{`"a" + @@user`, `user of type auth.User has no text: use a part of it, such as user.ID or user.Email`},
	{`"a" + @@nothing`, `nothing of type Nothing has no text: pass it to a function that returns a string`},
	{`"a" + @@raw`, `raw of type []byte has no text: pass it to a function that returns a string`},
	{`"a" + @@anything`, `anything of type any has no text: pass it to a function that returns a string`},
	{`"a" + @@ctx`, `ctx of type context.Context has no text: pass it to a function that returns a string`},
	{`"a" + @@fn`, `fn of type func() string has no text: write fn()`},
	{`"a" + @@normalize`, `normalize of type func(s string) string has no text: call it`},
	{`"a" + @@s.Tenant`, `s.Tenant of type func() string has no text: write s.Tenant()`},
	{`"a" + @@s`, `s of type *Service has no text: use a part of it, such as s.prefix or s.Tenant()`},
	{`"a" + @@nil`, `nil has no text`},
	{`@@nil`, `nil has no text`},
	{`@@string()`, `string() takes 1 argument, not 0`},
	{`"a" + @@lower()`, `lower takes 1 argument, not 0`},
	{`[@@upper(), name]`, `upper() takes 1 argument, not 0`},
	{`@@trim()`, `trim takes 1 argument, not 0`},
	{`@@hash()`, `hash is called so: hash(x)`},
	{`string(@@fn)`, `string() of fn of type func() string would hold an address, so that no two calls share a key: write fn()`},
	{`"a" + string(@@req)`, `string() of req of type Request would hold an address, so that no two calls share a key: use a part of it, such as req.Mobile or req.Kind`},
	{`[string(@@val), name]`, `string() of val of type Request would hold an address, so that no two calls share a key: use a part of it, such as val.Mobile or val.Kind`},
	{`@@auth`, `auth is a package: write auth.Name`},
	{`"a" + @@auth`, `auth is a package: write auth.Name`},
	{`auth.@@Nope`, `package auth has no Nope`},
	{`auth.@@UserId(user)`, `package auth has no UserId; did you mean UserID?`},
	{`auth.@@hidden`, `hidden is not exported by package auth`},
	{`@@auth.User`, `auth.User is a type and no value`},
	{`@@auth.Silent()`, `auth.Silent returns nothing`},
	{`@@auth.Pair()`, `auth.Pair returns 2 values, and an expression has one`},
	{`@@Request`, `Request is a type and no value`},
	{`@@nope`, `unknown name nope; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others`},
	{`@@strconv.Itoa(n)`, `unknown name strconv: it is no parameter, and no package that the file imports`},
	{`@@self.Tenant`, `unknown name self; did you mean s?`},
	{`@@Prefix`, `unknown name Prefix; did you mean s.prefix?`},
	{`@@tenantt()`, `unknown name tenantt; did you mean s.Tenant?`},
	{`@@user_name`, `unknown name user_name; did you mean user.Name()?`},
	{`@@userId`, `unknown name userId; did you mean userID?`},
	{`@@mobil + n`, `unknown name mobil; did you mean mobile?`},
	{`@@prefix + mobile`, `unknown name prefix; did you mean s.prefix?`},
	{`@@Tenant()`, `unknown name Tenant; did you mean s.Tenant?`},
	{`@@normalise(mobile)`, `unknown name normalise; did you mean normalize?`},
	{`@@$env`, `$env is no name: "$" cannot stand in one`},
	{`@@$env.x`, `$env is no name: "$" cannot stand in one`},
	{`@@x$y`, `x$y is no name: "$" cannot stand in one`},
	{`@@let x = 1; x`, `"let" cannot stand in an expression: it has no variables of its own`},
	{`n@@; n`, `";" cannot stand in an expression`},
	{`@@if ok {"a"} else {"b"}`, `"if" cannot stand in an expression: write condition ? a : b`},
	{`n @@= 1`, `a single "=" cannot stand in an expression: "==" compares`},
	{`"a" + n @@// c`, `a comment cannot stand in an expression`},
	{`"a" @@/* c */ + n`, `a comment cannot stand in an expression`},
	{`"a" @@/* c`, `a comment cannot stand in an expression`},
	{`9223372036854775807 @@+ 1`, `9223372036854775807 + 1 overflows an int64`},
	{`Max @@+ 1`, `Max + 1 overflows an int64`},
	{`@@9223372036854775808`, `9223372036854775808 is too large for an int64`},
	{`@@0x8000000000000000`, `0x8000000000000000 is too large for an int64`},
	{`@@99999999999999999999`, `99999999999999999999 is too large for an int64`},
	{`@@1e400`, `1e400 is no number, or too large`},
	{`12@@abc`, `this is no number`},
	{`0b1@@2`, `this is no number`},
	{`"a" + @@Huge`, `Huge overflows an int64`},
	{`"a" + @@Over`, `Over overflows an int64`},
	{`mobile.@@x`, `mobile of type string has no field or method x`},
	{`user.@@token`, `token is not exported by package auth`},
	{`user.@@secret()`, `secret is not exported by package auth`},
	{`user.@@Nam()`, `user of type auth.User has no field or method Nam; did you mean Name?`},
	{`user.@@Emial`, `user of type auth.User has no field or method Emial; did you mean Email?`},
	{`val.@@Twice`, `Twice is ambiguous: several embedded fields of val have it`},
	{`req@@["\n"]`, `req of type *Request has no field or method \n`},
	{`req.@@Nope`, `req of type *Request has no field or method Nope`},
	{`"a".@@x`, `the constant "a" has no field or method x`},
	{`n.@@x`, `n of type int has no field or method x`},
	{`s.region.@@Nam`, `s.region of type struct{Name string} has no field or method Nam; did you mean Name?`},
	{`s.Copy().base.@@Path()`, `method Path has a pointer receiver, and s.Copy().base has no address`},
	{`s.Copy().@@Tenant()`, `method Tenant has a pointer receiver, and s.Copy() has no address`},
	{`@@val.Key`, `val.Key of type func() string has no text: write val.Key()`},
	{`val.Key().@@x`, `val.Key() of type string has no field or method x`},
	{`@@normalize()`, `normalize takes 1 argument, not 0`},
	{`@@normalize(mobile, n)`, `normalize takes 1 argument, not 2`},
	{`normalize(@@n)`, `normalize takes string here, not n of type int`},
	{`normalize(@@1)`, `normalize takes string here, not the constant 1`},
	{`normalize(@@phone)`, `normalize takes string here, not phone of type Mobile`},
	{`trim(@@mobile)`, `trim takes Mobile here, not mobile of type string`},
	{`small(@@200)`, `small takes int8 here, not the constant 200`},
	{`narrow(@@1e39)`, `narrow takes float32 here, not the constant 1e+39`},
	{`narrow(@@"1")`, `narrow takes float32 here, not the constant "1"`},
	{`small(@@n)`, `small takes int8 here, not n of type int`},
	{`small(@@1.5)`, `small takes int8 here, not the constant 1.5`},
	{`unsigned(@@65536)`, `unsigned takes uint16 here, not the constant 65536`},
	{`wide(@@mobile, n, ok)`, `wide takes float64 here, not mobile of type string`},
	{`@@auth.Join()`, `auth.Join takes at least 1 argument, not 0`},
	{`auth.Join(@@1)`, `auth.Join takes string here, not the constant 1`},
	{`auth.Join(",", mobile, @@n)`, `auth.Join takes string here, not n of type int`},
	{`takePointer(@@val)`, `takePointer takes *Service here, not val of type Request`},
	{`pointer(@@n)`, `pointer takes *int here, not n of type int`},
	{`pointer(@@0)`, `pointer takes *int here, not the constant 0`},
	{`normalize(@@nil)`, `normalize takes string here, not nil`},
	{`normalize(@@nope)`, `unknown name nope; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others`},
	{`@@mobile()`, `mobile of type string is no function`},
	{`@@s.prefix()`, `s.prefix of type string is no function`},
	{`@@broken() + "x"`, `the type of broken() is not known, because its declaration does not compile`},
	{`@@lost`, `the type of lost is not known, because its declaration does not compile`},
	{`"a" + @@lost.x`, `the type of lost is not known, because its declaration does not compile`},
	{`"a" + @@lostPtr.x`, `the type of lostPtr is not known, because its declaration does not compile`},
	{`fn().@@x`, `fn() of type string has no field or method x`},
	{`@@print(n)`, `print is built into Go and no part of expressions`},
	{`@@make(n)`, `make is built into Go and no part of expressions`},
	{`@@iota`, `iota is built into Go and no part of expressions`},
	{`"a" + @@string`, `string is built into Go and no part of expressions`},
	{`normalize(@@normalize)`, `normalize takes string here, not normalize of type func(s string) string`},
	{`normalize(@@auth)`, `auth is a package: write auth.Name`},
	{`normalize(@@auth.User)`, `auth.User is a type and no value`},
	{`normalize("a"+@@ctx)`, `ctx of type context.Context has no text: pass it to a function that returns a string`},
	{`"ü" + @@nope`, `unknown name nope; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others`},
	{`"ü" + n.@@größe`, `n of type int has no field or method größe`},

	// Operators.
	{`n @@- mobile`, `the operator - has no meaning between n of type int and mobile of type string`},
	{`ok @@* 2`, `the operator * has no meaning between ok of type bool and the constant 2`},
	{`ratio @@% 2`, `the operator % has no meaning between ratio of type float64 and the constant 2`},
	{`took @@+ 1`, `the operator + has no meaning between took of type time.Duration and the constant 1`},
	{`1.5 @@* took`, `the operator * has no meaning between the constant 1.5 and took of type time.Duration`},
	{`n @@% 0`, `n % 0 divides by zero`},
	{`1 @@/ 0`, `1 / 0 divides by zero`},
	{`10.0 @@** 400`, `10 ** 400 is no number`},
	{`9223372036854775807 @@* 2`, `9223372036854775807 * 2 overflows an int64`},
	{`Full @@+ 1`, `Full + 1 overflows an int64`},
	{`@@-Full`, `-Full overflows uint64`},
	{`when + time.Hour @@* 9223372036854775807 < when`, `time.Hour * 9223372036854775807 overflows an int64`},
	{`@@Full % n`, `Full overflows an int`},
	{`n < @@Full`, `Full overflows an int`},
	{`@@-mobile`, `the sign - stands before a number, not mobile of type string`},
	{`@@!n`, `the operator ! stands before true or false, not n of type int`},
	{`ok && @@n`, `the condition n of type int is not true or false`},
	{`@@mobile or ok`, `the condition mobile of type string is not true or false`},
	{`@@n ? 1 : 2`, `the condition n of type int is not true or false`},
	{`n @@< mobile`, `the operator < compares numbers, strings or times, not n of type int and mobile of type string`},
	{`n @@== mobile`, `the operator == has no meaning between n of type int and mobile of type string`},
	{`req @@!= n`, `the operator != has no meaning between req of type *Request and n of type int`},
	{`@@mobile == nil`, `mobile of type string is never nil`},
	{`nil != @@n`, `n of type int is never nil`},
	{`@@mobile ?? "x"`, `mobile of type string is never nil: write mobile != "" ? mobile : "x"`},
	{`@@n ?? 1`, `n of type int is never nil`},
	{`@@quotas[mobile] ?? 1`, `quotas[mobile] of type int is never nil: write mobile in quotas ? quotas[mobile] : 1`},
	{`@@quotas.gold ?? 1`, `quotas.gold of type int is never nil: write "gold" in quotas ? quotas.gold : 1`},
	{`name ?? (@@name + n) ?? 1`, `name + n of type string is never nil: write name + n != "" ? name + n : 1`},
	{`name ?? mobile @@+ n`, `?? and "+" need parentheses between them`},
	{`@@n contains "a"`, `the operator contains looks into strings, not n of type int`},
	{`mobile startsWith @@3`, `the operator startsWith looks into strings, not the constant 3`},
	{`mobile matches @@"[a"`, `"[a" is no pattern: missing closing ] at "[a"`},
	{`mobile @@matches "a"`, `mobile matches "a" is not supported yet`},
	{`"a" @@in mobile`, `nothing is in mobile of type string: write mobile contains "a"`},
	{`n @@in n`, `the operator in looks into a list, map or struct, not n of type int`},
	{`mobile @@in counts`, `mobile of type string cannot be in counts of type []int`},
	{`n in [1, @@"a"]`, `the constant "a" is never equal to n of type int`},
	{`@@n in quotas`, `n of type int is no key of quotas of type map[string]int`},
	{`@@1 in req`, `the constant 1 is no name of a field`},
	{`@@mobile in 1..3`, `a range is one of integers, not mobile of type string`},
	{`n in 1..@@mobile`, `a range is one of integers, not mobile of type string`},
	{`@@ratio..3`, `a range is one of integers, not ratio of type float64`},

	// Elements and parts.
	{`raw[@@"a"]`, `the index of a list is an integer, not the constant "a"`},
	{`raw[@@n / 2]`, `the index of a list is an integer, not n / 2 of type float64: write int(n / 2)`},
	{`triple[@@3]`, `the index 3 is out of range: triple has 3 elements`},
	{`triple[@@-4]`, `the index -4 is out of range: triple has 3 elements`},
	{`quotas[@@n]`, `n of type int is no key of quotas of type map[string]int`},
	{`@@mobile[0]`, `mobile of type string has no single characters: write mobile[i:i+1]`},
	{`@@n[0]`, `n of type int has no elements`},
	{`@@n[1:]`, `n of type int has no part: only strings and lists do`},
	{`mobile[@@ratio:]`, `a part is bounded by integers, not ratio of type float64`},
	{`@@raw[1:2]`, `raw[1:2] of type []byte has no text: pass it to a function that returns a string`},
	{`@@req?.User`, `req?.User of type *auth.User has no text: use a part of it, such as req?.User.ID or req?.User.Email`},
	{`req?.@@Nope`, `req of type *Request has no field or method Nope`},
	{`@@{"a": 1}`, `{a: 1} of type map[string]int has no text: pass it to a function that returns a string`},
	{`{(@@n): 1}["a"]`, `the key of a map's literal is a string, not n of type int`},
	{`{"a": 1, @@"a": 2}["a"]`, `the map has the key "a" twice`},

	// Builtins.
	{`len(@@n)`, `len() takes a string, list or map here, not n of type int`},
	{`@@trimPrefix()`, `trimPrefix() takes 1 to 2 arguments, not 0`},
	{`@@upper(mobile, 1)`, `upper() takes 1 argument, not 2`},
	{`@@max()`, `max() takes at least 1 argument, not 0`},
	{`upper(@@n)`, `upper() takes a string here, not n of type int`},
	{`int(@@ok)`, `int() takes a number or a string here, not ok of type bool`},
	{`abs(@@mobile)`, `abs() takes a number here, not mobile of type string`},
	{`bitand(1, @@1.5)`, `bitand() takes an integer here, not the constant 1.5`},
	{`first(@@mobile)`, `first() takes a list here, not mobile of type string`},
	{`keys(@@counts)`, `keys() takes a map here, not counts of type []int`},
	{`max(@@mobile)`, `max() takes a number or a list of numbers here, not mobile of type string`},
	{`@@max(names)`, `max() has no result for these arguments`},
	{`@@float(n)`, `float(n) of type float64 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`@@now()`, `now() of type time.Time has no text: write now().Unix() or now().Format("2006-01-02")`},
	{`@@int(1e300)`, `int(1e+300) overflows an int64`},
	{`any(@@n, # > 1)`, `any() takes a list, not n of type int`},
	{`any(counts, @@#)`, `the predicate # of type int is not true or false`},
	{`any(counts, # > @@nope)`, `unknown name nope; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others`},
	{`any(counts, #.@@x == 1)`, `# of type int has no field or method x`},
	{`any(counts, @@#acc > 1)`, `there is no #acc in this predicate`},
	{`sum(counts, @@ok)`, `sum() adds numbers, not ok of type bool`},
	{`sum(@@names)`, `sum() adds numbers, and the elements of names of type []string are none`},
	{`none(names@@)`, `the call has too few arguments`},
	{`any(req.Others, .@@in == "a")`, `in cannot be read here, because it is not exported: export it, or pass # to a function`},
	{`any(names, @@identity(#) == "a")`, `calling a generic function in a predicate is not supported yet`},
	{`any(names, auth.Join(",", # + @@1.5) == "a")`, `the constant 1.5 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`any(names, listed(@@[#]))`, `[#] cannot be passed to a function: write one that makes the list`},
	{`listed(@@filter(names, # != "")) ? 1 : 2`, `filter(names, # != "") cannot be passed to a function: write one that makes the list`},
	{`sortBy(counts, #, @@3)[0]`, `the order is "asc" or "desc", not the constant 3`},
	{`count(counts, @@# > 1)`, `# stands only in the predicate of a builtin, such as any(list, # > 1); count is not the builtin here, but a name of the program`},
	{`@@any(counts, # > 1)`, `any(counts, # > 1) is not supported yet`},
	{`@@fromJSON(mobile)`, `fromJSON(mobile) of type any has no text: pass it to a function that returns a string`},
	{`@@identity()`, `the arguments do not tell the type parameters of identity: write a function that calls it`},
	{`@@pick(mobile, mobile)`, `pick cannot be called so: string does not satisfy int | int64 (string missing in int | int64)`},

	// The functions of the language.
	{`@@ip(1, 2)`, `ip is called so: ip() or ip("none")`},
	{`@@header()`, `header is called so: header("X-Name") or header("X-Name", "none")`},
	{`header(@@mobile)`, `the name of a header is a constant such as "X-Name", not mobile of type string`},
	{`header(@@"X Name")`, `the name of a header is a constant such as "X-Name", not the constant "X Name"`},
	{`caller(@@ratio)`, `ratio of type float64 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`@@hash()`, `hash is called so: hash(x)`},
	{`hash(@@req)`, `req of type *Request has no text: use a part of it, such as req.Mobile or req.Kind`},
	{`@@env("A")`, `env is called so: env("NAME", 3)`},
	{`@@config()`, `config is called so: config("name", 3)`},
	{`env(@@mobile, 3)`, `the name that env() asks for is a constant string, not mobile of type string`},
	{`config("a", @@mobile)`, `config() yields an integer, and so must its default, not mobile of type string`},
	{`@@env("A", 3)`, `env() is not supported yet`},

	// Lists.
	{`@@[]`, `the list has no parts`},
	{`[mobile, @@[n]]`, `a list stands in a list: write its parts into the outer one`},
	{`[mobile, @@ratio]`, `ratio of type float64 has no text: a float is written in many ways; pass it to a function that returns a string`},
	{`(@@"a" + mobile)[0]`, `"a" + mobile of type string has no single characters: write ("a" + mobile)[i:i+1]`},
	{`@@when + took`, `when + took of type time.Time has no text: write (when + took).Unix() or (when + took).Format("2006-01-02")`},
	{`@@in`, `in of type Request has no text: use a part of it, such as in.Mobile or in.Kind`},
	{`"a" + @@and`, `unknown name and; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others`},
}

func TestRefused(t *testing.T) {
	for _, tt := range refusedTests {
		t.Run(tt.src, func(t *testing.T) {
			off := strings.Index(tt.src, mark)
			src := strings.Replace(tt.src, mark, "", 1)
			expr, problems := Key(src, testScope(t))
			if expr != nil || len(problems) != 1 {
				t.Fatalf("Key(%s) = %v with the problems %v, want one problem", src, expr, problems)
			}
			if p := problems[0]; p.Off != off || p.Text != tt.want || p.Note {
				t.Errorf("Key(%s):\n got %d: %s\nwant %d: %s", src, p.Off, p.Text, off, tt.want)
			}
		})
	}
}

func TestSeveralProblems(t *testing.T) {
	tests := []struct {
		src  string
		want []string
	}{
		{`@@nope + @@nope2 + mobile`, []string{"unknown name nope; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others", "unknown name nope2; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others"}},
		{`@@nope(@@nope2)`, []string{"unknown name nope: the package has no such function", "unknown name nope2; there are ctx, userID, mobile, n, u8, up, ok, flag, kind, phone and others"}},
		{`wide(@@n, n, @@n)`, []string{"wide takes float64 here, not n of type int", "wide takes bool here, not n of type int"}},
		{`normalize(@@n) + (ok @@+ n)`, []string{
			"normalize takes string here, not n of type int",
			"the operator + has no meaning between ok of type bool and n of type int",
		}},
	}
	for _, tt := range tests {
		parts := strings.Split(tt.src, mark)
		_, problems := Key(strings.Join(parts, ""), testScope(t))
		if len(problems) != len(tt.want) {
			t.Errorf("%s has the problems %v, want %v", tt.src, problems, tt.want)
			continue
		}
		off := 0
		for i, p := range problems {
			off += len(parts[i])
			if p.Off != off || p.Text != tt.want[i] {
				t.Errorf("%s: got %d: %s, want %d: %s", tt.src, p.Off, p.Text, off, tt.want[i])
			}
		}
	}
}

func TestPointerReceiverWithoutAddress(t *testing.T) {
	sc := *testScope(t)
	code := sc.Pkg.Scope().Lookup("Code").Type()
	result := types.NewTuple(types.NewVar(0, nil, "", code))
	sc.Vars = []Var{variable("next", types.NewSignatureType(nil, nil, nil, nil, result, false))}
	_, problems := Key(`"c" + next()`, &sc)
	want := "the String method of Code has a pointer receiver, and next() has no address"
	if len(problems) != 1 || problems[0].Text != want || problems[0].Off != 6 {
		t.Errorf("problems %v, want %q at 6", problems, want)
	}
}

func TestHiddenPredeclaredType(t *testing.T) {
	pkg := types.NewPackage(smsPath, "sms")
	pkg.Scope().Insert(types.NewTypeName(0, pkg, "int64", types.Typ[types.String]))
	sc := &Scope{Pkg: pkg, Vars: []Var{variable("n", types.Typ[types.Int]), variable("wide", types.Typ[types.Int64])}}
	_, problems := Key(`"n" + n`, sc)
	want := "n needs Go's own int64, which the package hides by its own"
	if len(problems) != 1 || problems[0].Text != want || problems[0].Off != 6 {
		t.Errorf("problems %v, want %q at 6", problems, want)
	}
	if _, problems := Key(`"n" + wide`, sc); len(problems) > 0 {
		t.Errorf("a value that needs no conversion has the problems %v", problems)
	}
}

func TestTooLong(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", maxSource) + "1" + strings.Repeat(")", maxSource),
		strings.Repeat("a", maxSource+1),
	} {
		if _, problems := Key(src, testScope(t)); len(problems) != 1 || !strings.Contains(problems[0].Text, "longer than") {
			t.Errorf("a source of %d bytes has the problems %v", len(src), problems)
		}
	}
	deep := strings.Repeat("(", maxSource/2-1) + "n" + strings.Repeat(")", maxSource/2-1)
	if _, problems := Key(deep, testScope(t)); len(problems) > 0 {
		t.Errorf("nested parentheses have the problems %v", problems)
	}
}
