package keyexpr

import (
	"testing"

	"github.com/expr-lang/expr/builtin"
)

// TestBuiltins looks for builtins of expr's that are not known here.
func TestBuiltins(t *testing.T) {
	for _, b := range builtin.Builtins {
		_, known := builtins[b.Name]
		if _, takesPredicate := predicates[b.Name]; !known && !takesPredicate && b.Name != "reduce" {
			t.Errorf("%s() is not known", b.Name)
		}
	}
}

// TestEveryBuiltin compiles a call of each builtin, natively or as a program.
func TestEveryBuiltin(t *testing.T) {
	for src, native := range map[string]bool{
		`len(names) == 1`: true, `int(mobile) == 1`: true, `float(mobile) == 1`: true, `string(n) == ""`: true, `type(n) == "int"`: false,
		`abs(ratio) > 1`: true, `ceil(ratio) > 1`: true, `floor(n) > 1`: true, `round(ratio) > 1`: true,
		`min(n, 3) > 1`: true, `max(ratio, 3) > 1`: false, `max(counts) > 1`: false, `mean(counts) > 1`: false, `median(1, n) > 1`: false,
		`trimPrefix(mobile) == ""`: true, `trimSuffix(mobile, "a") == ""`: true, `upper(mobile) == ""`: true,
		`split(mobile, ",")[0] == ""`: true, `splitAfter(mobile, ",", 2)[0] == ""`: true, `replace(mobile, "a", "b", 1) == ""`: true,
		`repeat(mobile, 2) == ""`: false, `join(names) == ""`: true, `join([mobile, "a"], ",") == ""`: false,
		`indexOf(mobile, "a") > 1`: true, `lastIndexOf(mobile, "a") > 1`: true, `hasPrefix(mobile, "a")`: true, `hasSuffix(mobile, "a")`: true,
		`toJSON(n) == ""`: false, `fromJSON(mobile) == 1`: false, `toBase64(mobile) == ""`: true, `fromBase64(mobile) == ""`: false,
		`now() > when`: true, `duration("1s") > took`: true, `date("2024-01-01") < when`: false, `now(timezone("UTC")) > when`: false,
		`first(counts) == 1`: false, `last(counts) == nil`: false, `get(counts, 1) == 1`: false, `take(counts, 1) == counts`: false,
		`reverse(counts) == counts`: false, `uniq(counts) == counts`: false, `sort(counts, "desc") == counts`: false,
		`concat(counts, counts) == counts`: false, `flatten([counts, counts]) == counts`: false,
		`"a" in keys(quotas)`: false, `1 in values(quotas)`: false, `len(toPairs(quotas)) > 1`: false, `len(fromPairs(toPairs(quotas))) > 1`: false,
		`bitand(n, 1) == 1`: true, `bitor(n, 1) == 1`: true, `bitxor(n, 1) == 1`: true, `bitnand(n, 1) == 1`: true, `bitnot(n) == 1`: true,
		`bitshl(n, 1) == 1`: true, `bitshr(n, 1) == 1`: true, `bitushr(n, 1) == 1`: false, `bitand(1, 3) == 1`: false,
		`all(counts, # > 1)`: false, `any(counts, ok)`: false, `none(names, # == "")`: false, `one(names, # == "")`: false,
		`filter(counts, # > 1)[0] == 1`: false, `map(counts, # + #index)[0] == 1`: false, `findIndex(counts, # > 1) == 1`: false,
		`findLast(counts, # > 1) == 1`: false, `(findLastIndex(counts, # > 1) ?? 1) > 1`: false, `sum(counts) > 1`: false, `sum(names, len(#)) > 1`: false,
		`groupBy(names, #)["a"] == names`: false, `sortBy(req.Others, .Kind, "desc")[0].Kind == 1`: false,
		`reduce(counts, #acc + #) > 1`: false, `reduce(counts, #acc + # * #index, 0.5) > 1`: false,
	} {
		expr, problems := Compile(src, generatedScope(t), WantBool)
		if expr == nil {
			t.Errorf("Compile(%s): %v", src, problems)
			continue
		}
		if expr.Native != native {
			t.Errorf("%s is native: %v, want %v", src, expr.Native, native)
		}
		checkCode(t, src, expr)
	}
}
