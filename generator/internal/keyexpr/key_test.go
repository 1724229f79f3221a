package keyexpr

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
	"github.com/google/go-cmp/cmp"
)

// keyTests are keys with the pieces that they compile to.
var keyTests = []struct {
	src     string
	pieces  string // as pieceString writes them
	canFail bool
}{
	// Literals and constants.
	{src: `"a"`, pieces: `"a"`},
	{src: `'it"s'`, pieces: `"it\"s"`},
	{src: "`r\\w`", pieces: `"r\\w"`},
	{src: `""`, pieces: `""`},
	{src: `"" + ""`, pieces: `""`},
	{src: `"a" + 'b' + "c"`, pieces: `"abc"`},
	{src: `"a" + 1 + true + 0x10 + 1_000`, pieces: `"a1true161000"`},
	{src: `1 + 2 + "x" + 1 + 2`, pieces: `"3x12"`},
	{src: `"x" + (1 + 2)`, pieces: `"x3"`},
	{src: `42`, pieces: `"42"`},
	{src: `true`, pieces: `"true"`},
	{src: `Region + ":" + On + Letter + Max + Full`, pieces: `"eu:true97922337203685477580718446744073709551615"`},
	{src: `Typed + "x"`, pieces: `"7x"`},
	{src: `auth.Prefix + "x"`, pieces: `"auth:x"`},
	{src: `Fruit + "x"`, pieces: `string(Fruit.String()) "x"`, canFail: true},
	{src: `auth.Member + "x"`, pieces: `string(auth.Member.String()) "x"`, canFail: true},

	// Variables of each kind.
	{src: `"sms:uid:"+userID`, pieces: `"sms:uid:" int(userID)`},
	{src: `userID`, pieces: `int(userID)`},
	{src: `mobile`, pieces: `string(mobile)`},
	{src: `"n" + n`, pieces: `"n" int(int64(n))`},
	{src: `u8 + "," + up`, pieces: `uint(uint64(u8)) "," uint(uint64(up))`},
	{src: `ok + "," + flag`, pieces: `bool(ok) "," bool(bool(flag))`},
	{src: `kind + phone`, pieces: `int(int64(kind)) string(string(phone))`},
	{src: `phone + phone`, pieces: `string(string(phone)) string(string(phone))`},
	{src: `level + "x"`, pieces: `uint(uint64(level)) "x"`},
	{src: `"größe:" + größe`, pieces: `"größe:" int(größe)`},
	{src: `shared + mobile`, pieces: `string(shared) string(mobile)`},
	{src: `auth.Realm + mobile`, pieces: `string(auth.Realm) string(mobile)`},

	// Grouping.
	{src: `("a" + mobile) + ("b" + ("c" + n))`, pieces: `"a" string(mobile) "bc" int(int64(n))`},
	{src: ` mobile  +  "" + n `, pieces: `string(mobile) int(int64(n))`},
	{src: `n + "" + n`, pieces: `int(int64(n)) int(int64(n))`},

	// Stringers.
	{src: `color`, pieces: `string(color.String())`, canFail: true},
	{src: `color + color`, pieces: `string(color.String()) string(color.String())`, canFail: true},
	{src: `"c" + code`, pieces: `"c" string(code.String())`, canFail: true},
	{src: `"c" + codePtr`, pieces: `"c" string(codePtr.String())`, canFail: true},
	{src: `"r" + role`, pieces: `"r" string(role.String())`, canFail: true},
	{src: `"t" + temp`, pieces: `"t" string(temp.String())`, canFail: true},
	{src: `"t" + took`, pieces: `"t" string(took.String())`, canFail: true},
	{src: `"i" + stringer`, pieces: `"i" string(stringer.String())`, canFail: true},
	{src: `"c" + val.Code`, pieces: `"c" string(val.Code.String())`, canFail: true},
	{src: `"c" + req.Code`, pieces: `"c" string(req.Code.String())`, canFail: true},

	// Fields.
	{src: `val.Mobile`, pieces: `string(string(val.Mobile))`},
	{src: `val.in + val.Kind`, pieces: `string(val.in) int(int64(val.Kind))`},
	{src: `in.Mobile + in.in`, pieces: `string(string(in.Mobile)) string(in.in)`},
	{src: `user.Email`, pieces: `string(user.Email)`},
	{src: `req.in`, pieces: `string(req.in)`, canFail: true},
	{src: `req.User.ID`, pieces: `int(req.User.ID)`, canFail: true},
	{src: `val.User.Email`, pieces: `string(val.User.Email)`, canFail: true},
	{src: `val.Tenant`, pieces: `string(val.Tenant)`, canFail: true},
	{src: `val.Base.Tenant + val.deep`, pieces: `string(val.Base.Tenant) int(int64(val.deep))`, canFail: true},
	{src: `s.prefix + userID`, pieces: `string(s.prefix) int(userID)`, canFail: true},
	{src: `s.region.Name`, pieces: `string(s.region.Name)`, canFail: true},
	{src: `s.Copy().prefix`, pieces: `string(s.Copy().prefix)`, canFail: true},

	// Methods and functions.
	{src: `s.Tenant() + ":" + userID`, pieces: `string(s.Tenant()) ":" int(userID)`, canFail: true},
	{src: `val.Key()`, pieces: `string(val.Key())`, canFail: true},
	{src: `val.Path() + s.base.Path()`, pieces: `string(val.Path()) string(s.base.Path())`, canFail: true},
	{src: `user.Name()`, pieces: `string(user.Name())`, canFail: true},
	{src: `normalize(mobile)`, pieces: `string(normalize(mobile))`, canFail: true},
	{src: `normalize("a" + userID + ok + u8)`, pieces: `string(normalize("a" + strconv.FormatInt(userID, 10) + strconv.FormatBool(ok) + strconv.FormatUint(uint64(u8), 10)))`, canFail: true},
	{src: `normalize("a" + "b")`, pieces: `string(normalize("ab"))`, canFail: true},
	{src: `normalize(Region)`, pieces: `string(normalize(Region))`, canFail: true},
	{src: `auth.UserID(req.User)`, pieces: `int(auth.UserID(req.User))`, canFail: true},
	{src: `auth.Join(",")`, pieces: `string(auth.Join(","))`, canFail: true},
	{src: `auth.Join(",", mobile, "b")`, pieces: `string(auth.Join(",", mobile, "b"))`, canFail: true},
	{src: `trim("x") + trim(phone)`, pieces: `string(string(trim("x"))) string(string(trim(phone)))`, canFail: true},
	{src: `wide(1, 2.5, true)`, pieces: `string(wide(1, 2.5, true))`, canFail: true},
	{src: `narrow(1e38) + narrow(7)`, pieces: `string(narrow(1e+38)) string(narrow(7))`, canFail: true},
	{src: `small(2.0)`, pieces: `int(int64(small(2.0)))`, canFail: true},
	{src: `wide(2.0, raw, ok)`, pieces: `string(wide(2.0, raw, ok))`, canFail: true},
	{src: `wide(ratio, nil, On)`, pieces: `string(wide(ratio, nil, On))`, canFail: true},
	{src: `"" + pointer(nil)`, pieces: `string(pointer(nil))`, canFail: true},
	{src: `unsigned(65535)`, pieces: `uint(uint64(unsigned(65535)))`, canFail: true},
	{src: `small(1 + 2)`, pieces: `int(int64(small(3)))`, canFail: true},
	{src: `calc(n) + "x"`, pieces: `int(int64(calc(n))) "x"`, canFail: true},
	{src: `fn()`, pieces: `string(fn())`, canFail: true},
	{src: `val.Fn("x")`, pieces: `string(val.Fn("x"))`, canFail: true},
	{src: `takePointer(s)`, pieces: `string(takePointer(s))`, canFail: true},
	{src: `when.Unix() + ""`, pieces: `int(when.Unix())`, canFail: true},
	{src: `when.Format("2006")`, pieces: `string(when.Format("2006"))`, canFail: true},
	{src: `msg.Id + msg.Text`, pieces: `int(msg.Id) string(msg.Text)`, canFail: true},
	{src: `err.Error()`, pieces: `string(err.Error())`, canFail: true},

	// Names of expr's builtins that the package has too.
	{src: `count() + lower(mobile)`, pieces: `int(int64(count())) string(lower(mobile))`, canFail: true},
}

func TestKey(t *testing.T) {
	for _, tt := range keyTests {
		t.Run(tt.src, func(t *testing.T) {
			expr, problems := Key(tt.src, testScope(t))
			if expr == nil {
				t.Fatalf("Key(%s): %v", tt.src, problems)
			}
			if diff := cmp.Diff(tt.pieces, pieceString(expr.Pieces)); diff != "" {
				t.Errorf("pieces (-want +got):\n%s", diff)
			}
			if expr.CanFail != tt.canFail {
				t.Errorf("CanFail = %v, want %v", expr.CanFail, tt.canFail)
			}
			if got := expr.Type.String(); got != "string" {
				t.Errorf("Type = %s, want string", got)
			}
		})
	}
}

var kindNames = map[PieceKind]string{String: "string", Int: "int", Uint: "uint", Bool: "bool"}

// pieceString writes pieces as kind(code), and literals quoted.
func pieceString(pieces []Piece) string {
	var all []string
	for _, p := range pieces {
		if p.Kind == Literal {
			all = append(all, fmt.Sprintf("%q", p.Text))
			continue
		}
		all = append(all, fmt.Sprintf("%s(%#v)", kindNames[p.Kind], p.Code()))
	}
	return strings.Join(all, " ")
}

func TestKeyCode(t *testing.T) {
	tests := []struct{ src, code string }{
		{`"a"`, `"a"`},
		{`mobile`, `mobile`},
		{`"a" + n + ok + "b" + u8 + phone`, `"a" + strconv.FormatInt(int64(n), 10) + strconv.FormatBool(ok) + "b" + strconv.FormatUint(uint64(u8), 10) + string(phone)`},
	}
	for _, tt := range tests {
		expr, problems := Key(tt.src, testScope(t))
		if expr == nil {
			t.Fatalf("Key(%s): %v", tt.src, problems)
		}
		for range 2 { // the same again, whatever happens to a statement
			code := expr.Code()
			if got := fmt.Sprintf("%#v", code); got != tt.code {
				t.Errorf("Code of %s = %s, want %s", tt.src, got, tt.code)
			}
			code.Op("+").Lit("spoiled")
		}
	}
}

func TestKeyConst(t *testing.T) {
	for src, want := range map[string]string{`"a" + 1`: `"a1"`, `Region`: `"eu"`, `""`: `""`, `true`: `"true"`} {
		expr, problems := Key(src, testScope(t))
		if expr == nil || expr.Const == nil || expr.Const.ExactString() != want {
			t.Errorf("Key(%s) = %+v, %v, want the constant %s", src, expr, problems, want)
		}
	}
	if expr, _ := Key(`"a" + n`, testScope(t)); expr.Const != nil {
		t.Errorf("a variable key has the constant value %v", expr.Const)
	}
}

func TestNamesAndVars(t *testing.T) {
	tests := []struct {
		src         string
		vars, names []string
	}{
		{`"a"`, nil, nil},
		{`n + "," + s.prefix + n + mobile`, []string{"n", "s", "mobile"}, []string{"int64"}},
		{`Region + shared`, nil, []string{"shared"}},
		{`normalize(Region)`, nil, []string{"normalize", "Region"}},
		{`Fruit + phone + ok + flag`, []string{"phone", "ok", "flag"}, []string{"Fruit", "string", "bool"}},
		{`auth.Realm + auth.UserID(req.User)`, []string{"req"}, nil},
	}
	for _, tt := range tests {
		expr, problems := Key(tt.src, testScope(t))
		if expr == nil {
			t.Fatalf("Key(%s): %v", tt.src, problems)
		}
		if !slices.Equal(expr.Vars, tt.vars) || !slices.Equal(expr.Names, tt.names) {
			t.Errorf("%s uses the variables %v and names %v, want %v and %v", tt.src, expr.Vars, expr.Names, tt.vars, tt.names)
		}
	}
}

func TestTextIsTrimmedSource(t *testing.T) {
	expr, _ := Key("  'a'+  n ", testScope(t))
	if want := "'a'+  n"; expr.Text != want {
		t.Errorf("Text = %q, want %q", expr.Text, want)
	}
}

// TestReceiverHeldAsPointer is about a value receiver, of which the wrapper
// holds a pointer.
func TestReceiverHeldAsPointer(t *testing.T) {
	sc := *testScope(t)
	service := sc.Pkg.Scope().Lookup("Service").Type()
	phone := sc.Pkg.Scope().Lookup("Mobile").Type()
	next := func() *jen.Statement { return jen.Id("w").Dot("next") }
	sc.Vars = []Var{{Name: "v", Type: service, Pointer: true, Code: next}, {Name: "m", Type: phone, Pointer: true, Code: next}}
	for src, want := range map[string]string{
		`v.prefix`:          `string(w.next.prefix)`,
		`v.Tenant()`:        `string(w.next.Tenant())`,
		`v.Copy().prefix`:   `string(w.next.Copy().prefix)`,
		`takeValue(v)`:      `string(takeValue(*w.next))`,
		`"m" + m`:           `"m" string(string(*w.next))`,
		`trim(m)`:           `string(string(trim(*w.next)))`,
		`v.base.Tenant + m`: `string(w.next.base.Tenant) string(string(*w.next))`,
	} {
		expr, problems := Key(src, &sc)
		if expr == nil {
			t.Errorf("Key(%s): %v", src, problems)
			continue
		}
		if got := pieceString(expr.Pieces); got != want || !expr.CanFail {
			t.Errorf("Key(%s) = %s, can fail %v, want %s, true", src, got, expr.CanFail, want)
		}
	}
}

// TestScopeOrder is about a name that several parts of the scope have.
func TestScopeOrder(t *testing.T) {
	sc := *testScope(t)
	sc.Vars = []Var{
		variable("_", types.Typ[types.Int]),
		variable("", types.Typ[types.Int]),
		variable("shared", types.Typ[types.Int64]),
		variable("auth", types.Typ[types.Bool]),
	}
	sc.DotImports = []*types.Package{sc.Imports["auth"]}
	for src, want := range map[string]string{
		`shared`:         `int(shared)`,
		`auth`:           `bool(auth)`,
		`Realm`:          `string(auth.Realm)`,
		`Region`:         `"eu"`,
		`Join(",", "x")`: `string(auth.Join(",", "x"))`,
	} {
		expr, problems := Key(src, &sc)
		if expr == nil {
			t.Errorf("Key(%s): %v", src, problems)
			continue
		}
		if got := pieceString(expr.Pieces); got != want {
			t.Errorf("Key(%s) = %s, want %s", src, got, want)
		}
	}
	for _, src := range []string{`_`, `hidden`} {
		if _, problems := Key(src, &sc); len(problems) != 1 {
			t.Errorf("Key(%s) has the problems %v, want one", src, problems)
		}
	}
}

// TestOperatorNames is about variables whose names are operators of expr.
func TestOperatorNames(t *testing.T) {
	sc := *testScope(t)
	for _, name := range []string{"and", "or", "contains", "matches"} {
		sc.Vars = append(slices.Clone(sc.Vars), variable(name, types.Typ[types.String]))
	}
	for src, want := range map[string]string{
		`contains + matches`:         `string(contains) string(matches)`,
		`"a" + (and) + or`:           `"a" string(and) string(or)`,
		`normalize(in.in) + in.Kind`: `string(normalize(in.in)) int(int64(in.Kind))`,
		`"größe" + in.in`:            `"größe" string(in.in)`,
	} {
		expr, problems := Key(src, &sc)
		if expr == nil {
			t.Errorf("Key(%s): %v", src, problems)
			continue
		}
		if got := pieceString(expr.Pieces); got != want {
			t.Errorf("Key(%s) = %s, want %s", src, got, want)
		}
	}
}

func TestWant(t *testing.T) {
	tests := []struct {
		src  string
		want Want
		typ  string
		code string
	}{
		{`n`, WantInt, "int", "n"},
		{`3`, WantInt, "untyped int", "3"},
		{`Max`, WantInt, "untyped int", "Max"},
		{`count()`, WantInt, "int", "count()"},
		{`flag`, WantBool, smsPath + ".Flag", "flag"},
		{`mobile`, WantString, "string", "mobile"},
		{`"a" + n`, WantString, "string", `"a" + strconv.FormatInt(int64(n), 10)`},
	}
	for _, tt := range tests {
		expr, problems := Compile(tt.src, testScope(t), tt.want)
		if expr == nil {
			t.Errorf("Compile(%s): %v", tt.src, problems)
			continue
		}
		if got := fmt.Sprintf("%#v", expr.Code()); got != tt.code || expr.Type.String() != tt.typ {
			t.Errorf("Compile(%s) = %s of type %s, want %s of %s", tt.src, got, expr.Type, tt.code, tt.typ)
		}
	}
	for src, want := range map[string]Want{`mobile`: WantInt, `1`: WantBool, `n`: WantString, `req`: WantInt} {
		if _, problems := Compile(src, testScope(t), want); len(problems) != 1 {
			t.Errorf("Compile(%s, %d) has the problems %v, want one", src, want, problems)
		}
	}
}
