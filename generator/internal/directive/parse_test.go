package directive

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goodTests are directives without their prefix, with their items as
// itemString writes them.
var goodTests = []struct{ text, items string }{
	{`key=in limit=3 window=1s sliding`, `key=in; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=in.ID + in sliding limit=3 window=1s`, `key=in.ID + in; sliding; limit=3 is 3; window=1s is 1s`},
	{`key=a not in b sliding limit=3 window=1s`, `key=a not in b; sliding; limit=3 is 3; window=1s is 1s`},
	{`key=not in limit=3 window=1s sliding`, `key=not in; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=a or b and "x" matches 'y' limit=3 window=1s sliding`, `key=a or b and "x" matches 'y'; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=a.if limit=3 window=1s sliding`, `key=a.if; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=x.in sliding limit=3 window=1s`, `key=x.in; sliding; limit=3 is 3; window=1s is 1s`},
	{`key=x . in sliding limit=3 window=1s`, `key=x . in; sliding; limit=3 is 3; window=1s is 1s`},
	{`key=a == b limit=3 window=1s sliding`, `key=a == b; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=a==b limit=3 window=1s sliding`, `key=a==b; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=a <= b >= c != d limit=3 window=1s sliding`, `key=a <= b >= c != d; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=vip ? "a" : "b" limit=3 window=1s sliding`, `key=vip ? "a" : "b"; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=[a, b, "c d"] limit=3 window=1s sliding`, `key=[a, b, "c d"]; limit=3 is 3; window=1s is 1s; sliding`},
	{`key=f(a, "x) limit=9") limit=3 window=1s sliding`, `key=f(a, "x) limit=9"); limit=3 is 3; window=1s is 1s; sliding`},
	{`key=filter(xs, # > 1 && #acc in y)[0] limit=3 window=1s sliding`, `key=filter(xs, # > 1 && #acc in y)[0]; limit=3 is 3; window=1s is 1s; sliding`},
	{`key="//x /* y */ ; limit=3" limit=4 window=1s sliding // key=z`, `key="//x /* y */ ; limit=3"; limit=4 is 4; window=1s is 1s; sliding`},
	{"key='it\\'s' + \"q\\\"r\" + `b\\` limit=3 window=1s sliding", "key='it\\'s' + \"q\\\"r\" + `b\\`; limit=3 is 3; window=1s is 1s; sliding"},
	{`key=b"x" limit=3 window=1s sliding`, `key=b"x"; limit=3 is 3; window=1s is 1s; sliding`},
	{`limit=1_000 window=1s fixed`, `limit=1_000 is 1000; window=1s is 1s; fixed`},
	{`limit=3 window=1500us fixed`, `limit=3 is 3; window=1500us is 1.5ms; fixed`},
	{`limit=3 window=522w fixed`, `limit=3 is 3; window=522w is 87696h0m0s; fixed`},
	{`limit=3 window=10m`, `limit=3 is 3; window=10m is 10m0s`},
	{`message="too many" limit=3 window=3s fixed`, `message="too many" is "too many"; limit=3 is 3; window=3s is 3s; fixed`},
	{"message=`raw \"x\"` limit=3 window=3s fixed", "message=`raw \"x\"` is \"raw \\\"x\\\"\"; limit=3 is 3; window=3s is 3s; fixed"},
	{`message='a "b" \'c\' \n é' limit=3 window=3s fixed`, `message='a "b" \'c\' \n é' is "a \"b\" 'c' \n é"; limit=3 is 3; window=3s is 3s; fixed`},
	{`message="a; b, c // d /* limit=3" limit=3 window=3s fixed`, `message="a; b, c // d /* limit=3" is "a; b, c // d /* limit=3"; limit=3 is 3; window=3s is 3s; fixed`},
	{`fail=open limit=3 window=3s fixed`, `fail=open is "open"; limit=3 is 3; window=3s is 3s; fixed`},
	{`fail=closed limit=3 window=3s fixed`, `fail=closed is "closed"; limit=3 is 3; window=3s is 3s; fixed`},
	{`name=a.b.c_1 limit=3 window=3s fixed`, `name=a.b.c_1 is "a.b.c_1"; limit=3 is 3; window=3s is 3s; fixed`},
	{`tag="t" limit=3 window=3s fixed`, `tag="t" is "t"; limit=3 is 3; window=3s is 3s; fixed`},
	{`tag='t' limit=3 window=3s fixed`, `tag='t' is "t"; limit=3 is 3; window=3s is 3s; fixed`},
	{`fallback=F limit=3 window=3s fixed`, `fallback=F is "F"; limit=3 is 3; window=3s is 3s; fixed`},
	{`fallback=pkg.F limit=3 window=3s fixed`, `fallback=pkg.F is "pkg.F"; limit=3 is 3; window=3s is 3s; fixed`},
	{`key=a"b" limit=3 window=3s fixed`, `key=a"b"; limit=3 is 3; window=3s is 3s; fixed`},
	{`key=a + limit=3 window=3s fixed`, `key=a +; limit=3 is 3; window=3s is 3s; fixed`},
	{"key=a\tlimit=3\twindow=3s\tfixed\t", `key=a; limit=3 is 3; window=3s is 3s; fixed`},
	{`key=größe+"ü" limit=3 window=3s fixed`, `key=größe+"ü"; limit=3 is 3; window=3s is 3s; fixed`},
	{`limit=_1 window=1s fixed`, `limit=_1; window=1s is 1s; fixed`},
	{`limit=vip ? 10 : 3 window=1s fixed`, `limit=vip ? 10 : 3; window=1s is 1s; fixed`},
	{`limit=2*n window=1s fixed`, `limit=2*n; window=1s is 1s; fixed`},
	{`limit=100/n window=1s fixed`, `limit=100/n; window=1s is 1s; fixed`},
	{`limit=-n window=1s fixed`, `limit=-n; window=1s is 1s; fixed`},
	{`limit=(3) window=1s fixed`, `limit=(3); window=1s is 1s; fixed`},
	{`limit=env("N", 5) window=1s sliding`, `limit=env("N", 5); window=1s is 1s; sliding`},
	{`tag="a"+b limit=3 window=3s fixed`, `tag="a"+b; limit=3 is 3; window=3s is 3s; fixed`},
	{`tag=3 limit=3 window=3s fixed`, `tag=3; limit=3 is 3; window=3s is 3s; fixed`},
	{`limit=3 window=day tz=Europe/Berlin`, `limit=3 is 3; window=day is "day"; tz=Europe/Berlin is "Europe/Berlin"`},
	{`limit=3 window=hour fixed`, `limit=3 is 3; window=hour is "hour"; fixed`},
	{`limit=3 window=1m token burst=9`, `limit=3 is 3; window=1m is 1m0s; token; burst=9 is 9`},
	{`limit=3 window=1m counter`, `limit=3 is 3; window=1m is 1m0s; counter`},
	{`limit=3 window=1m leaky wait=90s`, `limit=3 is 3; window=1m is 1m0s; leaky; wait=90s is 1m30s`},
	{`limit=3 window=30s leaky`, `limit=3 is 3; window=30s is 30s; leaky`},
	{`limit=3 window=1m leaky burst=1`, `limit=3 is 3; window=1m is 1m0s; leaky; burst=1 is 1`},
	{`limit=3 window=1m leaky burst=0`, `limit=3 is 3; window=1m is 1m0s; leaky; burst=0`},
	{`by=ip,user limit=3 window=3s fixed`, `by=ip,user is "ip,user"; limit=3 is 3; window=3s is 3s; fixed`},
	{`cost=len(x) when=a == b && c check=C refund=error limit=3 window=3s fixed`, `cost=len(x); when=a == b && c; check=C is "C"; refund=error is "error"; limit=3 is 3; window=3s is 3s; fixed`},
	{`cost=3 refund=pkg.F private log=debug shadow limit=3 window=3s fixed`, `cost=3 is 3; refund=pkg.F is "pkg.F"; private; log=debug is "debug"; shadow; limit=3 is 3; window=3s is 3s; fixed`},
}

// itemString writes items as name=value, with the value that was read from it.
func itemString(items []Item) string {
	var all []string
	for _, item := range items {
		s := item.Name
		if item.Value != "" {
			s += "=" + item.Value
		}
		switch {
		case item.Int != 0:
			s += fmt.Sprintf(" is %d", item.Int)
		case item.Duration != 0:
			s += fmt.Sprintf(" is %v", item.Duration)
		case item.Text != "":
			s += fmt.Sprintf(" is %q", item.Text)
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func TestParse(t *testing.T) {
	for _, tt := range goodTests {
		for _, end := range []string{"", "\r", " \t", " // key=other limit=9", " //"} {
			d, problems := Parse(Prefix + tt.text + end)
			if problems = append(problems, Check(d)...); len(problems) > 0 || d.Broken || d.Kind != Rule {
				t.Errorf("Parse(%q) = %+v with the problems %v", tt.text+end, d, problems)
			}
			if diff := cmp.Diff(tt.items, itemString(d.Items)); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tt.text+end, diff)
			}
		}
	}
}

func TestOffsets(t *testing.T) {
	for _, tt := range goodTests {
		text := Prefix + tt.text
		d, _ := Parse(text)
		for _, item := range d.Items {
			written := item.Name
			if item.Spec.Value != Flag {
				written += "=" + item.Value
			}
			if got := text[item.Off:item.End]; got != written {
				t.Errorf("%s of %q stands at %q", item.Name, text, got)
			}
			if got := text[item.ValueOff:item.End]; got != item.Value {
				t.Errorf("the value of %s of %q stands at %q", item.Name, text, got)
			}
		}
	}
}

// mark stands in a test's text where its problems are, once for each.
const mark = "@@"

// badTests are directives with their problems in the order of the marks, from
// Parse and Check.
var badTests = []struct {
	text string
	want []string
}{
	{`//ratelimit:key=a limit=3 window=1s sliding@@//`, []string{`a blank is missing before "//"`}},
	{`//ratelimit:key=a limit=3 window=1s sliding @@/* c */`, []string{`"/*" starts no comment in a directive: write " //"`}},
	{`//ratelimit:key=a@@/*c*/ limit=3 window=1s sliding`, []string{`"/*" starts no comment in a directive: write " //"`}},
	{`//ratelimit:key=a@@//c`, []string{`a blank is missing before "//"`}},
	{`@@//ratelimit://comment`, []string{`the directive has no items: write some, as in //ratelimit:limit=100 window=1m sliding`}},
	{`@@//ratelimit:@@ // comment`, []string{`the directive has no items: write some, as in //ratelimit:limit=100 window=1m sliding`, `no blank may follow //ratelimit:`}},
	{`//ratelimit:key=a@@;@@b limit=3 window=1s sliding`, []string{`items are separated by blanks, not by ";"`, `unknown item "b": the flags are fixed, sliding, counter, token, leaky, private and shadow`}},
	{`//ratelimit:key=(a@@;b) limit=3 window=1s sliding`, []string{`";" cannot stand in an expression`}},
	{`//ratelimit:key=a@@,@@b limit=3 window=1s sliding`, []string{`items are separated by blanks, not by ","`, `unknown item "b": the flags are fixed, sliding, counter, token, leaky, private and shadow`}},
	{`//ratelimit:key=a limit=3@@,window=1s@@,sliding`, []string{`items are separated by blanks, not by ","`, `items are separated by blanks, not by ","`}},
	{`//ratelimit:fixed@@,limit=3 window=1s`, []string{`items are separated by blanks, not by ","`}},
	{`//ratelimit:fixed@@; limit=3 window=1s`, []string{`items are separated by blanks, not by ";"`}},
	{`//ratelimit:limit=3@@;window=1s@@;fixed`, []string{`items are separated by blanks, not by ";"`, `items are separated by blanks, not by ";"`}},
	{`//ratelimit:limit=3 @@fixed=true window=1s`, []string{`fixed is a flag and takes no value`}},
	{`//ratelimit:@@limit="3" @@window="60s" fixed`, []string{`write limit=3 without quotes`, `write window=60s without quotes`}},
	{`//ratelimit:@@limit=+3 window=1s fixed`, []string{`limit is a whole number, not +3`}},
	{`//ratelimit:@@limit=-3 window=1s fixed`, []string{`limit is at least 1, not -3`}},
	{`//ratelimit:@@limit=0 window=1s fixed`, []string{`limit is at least 1, not 0`}},
	{`//ratelimit:@@limit=3.5 window=1s fixed`, []string{`limit is a whole number, not 3.5`}},
	{`//ratelimit:@@limit=1e6 window=1s fixed`, []string{`limit is a whole number, not 1e6`}},
	{`//ratelimit:@@limit=0x10 window=1s fixed`, []string{`limit is a whole number, not 0x10`}},
	{`//ratelimit:@@limit=1__0 window=1s fixed`, []string{`limit is a whole number, not 1__0`}},
	{`//ratelimit:@@limit=99999999999999999999 window=1s fixed`, []string{`limit is too large: 99999999999999999999`}},
	{`//ratelimit:@@limit=9007199254740993 window=1s fixed`, []string{`limit: 9007199254740993 is above 9007199254740992, the most that fixed holds`}},
	{`//ratelimit:@@limit=100001 window=1s sliding`, []string{`limit: 100001 is above 100000, the most that sliding holds`}},
	{`//ratelimit:@@limit=3/60s window=1s fixed`, []string{`limit is a whole number, not 3/60s: write limit=3 window=60s`}},
	{`//ratelimit:@@limit=3/min window=1s fixed`, []string{`limit is a whole number, not 3/min: write limit=3 window=1m`}},
	{`//ratelimit:@@limit=3/S window=1s fixed`, []string{`limit is a whole number, not 3/S: write limit=3 window=1s`}},
	{`//ratelimit:limit=3 @@window=0s fixed`, []string{`window: must be longer than 0`}},
	{`//ratelimit:limit=3 @@window=-1s fixed`, []string{`window: a duration has no sign, not -1s`}},
	{`//ratelimit:limit=3 @@window=60 fixed`, []string{`window: 60 has no unit: write 60s, or one of us, ms, s, m, h, d, w`}},
	{`//ratelimit:limit=3 @@window=1.5h fixed`, []string{`window: 1.5h is no whole number of its units: write 1h30m for 1.5h`}},
	{`//ratelimit:limit=3 @@window=60sec fixed`, []string{`window: unknown unit "sec" in 60sec; did you mean 60s?`}},
	{`//ratelimit:limit=3 @@window=60S fixed`, []string{`window: unknown unit "S" in 60S; did you mean 60s?`}},
	{`//ratelimit:limit=3 @@window=5x fixed`, []string{`window: unknown unit "x" in 5x: the units are us, ms, s, m, h, d, w`}},
	{`//ratelimit:limit=3 @@window=500us fixed`, []string{`window: 500us is too short, the shortest is 1ms`}},
	{`//ratelimit:limit=3 @@window=10ns fixed`, []string{`window: 10ns is finer than a microsecond, the smallest unit is us`}},
	{`//ratelimit:limit=3 @@window=1h1h fixed`, []string{`window: the units of 1h1h go from the longest to the shortest, each once`}},
	{`//ratelimit:limit=3 @@window=30m1h fixed`, []string{`window: the units of 30m1h go from the longest to the shortest, each once`}},
	{`//ratelimit:limit=3 @@window=1m30 fixed`, []string{`window: 1m30 has no unit: write 1m30s, or one of us, ms, s, m, h, d, w`}},
	{`//ratelimit:limit=3 @@window=99999999999999999999s fixed`, []string{`window: 99999999999999999999s is too long`}},
	{`//ratelimit:limit=3 @@window=9999999999s fixed`, []string{`window: 9999999999s is too long`}},
	{`//ratelimit:limit=3 @@window=600w fixed`, []string{`window: 600w is too long, the longest is ten years`}},
	{`//ratelimit:limit=3 @@window=dya fixed`, []string{`window is a duration such as 60s or minute, hour, day, week or month, not dya; did you mean day?`}},
	{`//ratelimit:limit=3 @@window=soon fixed`, []string{`window is a duration such as 60s or minute, hour, day, week or month, not soon`}},
	{`//ratelimit:limit=3 @@window=Minute fixed`, []string{`window is a duration such as 60s or minute, hour, day, week or month, not Minute; did you mean minute?`}},
	{`//ratelimit:limit=3 @@window="1m" fixed`, []string{`write window=1m without quotes`}},
	{`//ratelimit:limit=3 @@window=1min fixed`, []string{`window: unknown unit "min" in 1min; did you mean 1m?`}},
	{`@@//ratelimit:limit=3 window=1m`, []string{`no algorithm is named, so the window is fixed and up to 6 can pass across the edge of two windows: say sliding or fixed`}},
	{`@@//ratelimit:limit=3 window=9m59s`, []string{`no algorithm is named, so the window is fixed and up to 6 can pass across the edge of two windows: say sliding or fixed`}},
	{`//ratelimit:limit=3 window=1m fixed @@sliding`, []string{`fixed and sliding exclude each other`}},
	{`//ratelimit:limit=3 window=1m fixed @@fixed`, []string{`fixed is given twice`}},
	{`//ratelimit:limit=3 @@limit=4 window=1m fixed`, []string{`limit is given twice`}},
	{`@@//ratelimit:limit=3 fixed`, []string{`the rule has no window: add window=60s`}},
	{`@@//ratelimit:window=3m fixed`, []string{`the rule has no limit: add limit=3`}},
	{`@@@@//ratelimit:key=a`, []string{`the rule has no limit: add limit=3`, `the rule has no window: add window=60s`}},
	{`@@@@//ratelimit:fixed`, []string{`the rule has no limit: add limit=3`, `the rule has no window: add window=60s`}},
	{`//ratelimit:@@limit window=3s fixed`, []string{`limit needs a value: write limit=3`}},
	{`//ratelimit:@@limit= window=3s fixed`, []string{`limit has no value: write limit=3`}},
	{`//ratelimit:@@limit= 3 window=3s fixed`, []string{`no blanks may stand around "=": write limit=...`}},
	{`//ratelimit:@@limit =3 window=3s fixed`, []string{`no blanks may stand around "=": write limit=...`}},
	{`//ratelimit:@@limit = 3 window=3s fixed`, []string{`no blanks may stand around "=": write limit=...`}},
	{`//ratelimit:@@limit: 3 window=3s fixed`, []string{`write limit=..., with "=" and not ":"`}},
	{`//ratelimit:@@limit:3 window=3s fixed`, []string{`write limit=..., with "=" and not ":"`}},
	{`//ratelimit:limit=@@=3 window=3s fixed`, []string{`a single "=" cannot stand in an expression: "==" compares`}},
	{`//ratelimit:@@Limit=3 window=3s fixed`, []string{`unknown item "Limit"; did you mean limit?`}},
	{`//ratelimit:@@limits=3 @@windw=3s @@fixd`, []string{`unknown item "limits"; did you mean limit?`, `unknown item "windw"; did you mean window?`, `unknown item "fixd"; did you mean fixed?`}},
	{`//ratelimit:limit=3 window=3s @@slidng`, []string{`unknown item "slidng"; did you mean sliding?`}},
	{`//ratelimit:limit=3 window=3s @@foo`, []string{`unknown item "foo": the flags are fixed, sliding, counter, token, leaky, private and shadow, and a key is written key=foo`}},
	{`//ratelimit:limit=3 window=3s @@foo=bar + "x" fixed`, []string{`unknown item "foo": the items are key, by, limit, window, tz, fixed, sliding, counter, token, leaky, burst, cost, when, wait, fallback, check, message, fail, refund, name, tag, private, log and shadow`}},
	{`//ratelimit:limit=3 window=3s @@foo="a b" fixed`, []string{`unknown item "foo": the items are key, by, limit, window, tz, fixed, sliding, counter, token, leaky, burst, cost, when, wait, fallback, check, message, fail, refund, name, tag, private, log and shadow`}},
	{`//ratelimit:limit=3 window=3s fixed @@"x"`, []string{"`\"x\"` is no item: items are name=value or a flag, separated by blanks"}},
	{`//ratelimit:limit=3 window=3s @@fixed =`, []string{`fixed is a flag and takes no value`}},
	{`//ratelimit:limit=3 window=3s @@fixed =3`, []string{`fixed is a flag and takes no value`}},
	{`//ratelimit:limit=3 window=3s fixed @@@x`, []string{`"@x" is no item: items are name=value or a flag, separated by blanks`}},
	{`//ratelimit:limit=3 window=3s fixed @@é`, []string{`unknown item "é": the flags are fixed, sliding, counter, token, leaky, private and shadow, and a key is written key=é`}},
	{`//ratelimit:@@rate=3 @@per=1s fixed @@msg="x"`, []string{`unknown item "rate"; did you mean limit?`, `unknown item "per"; did you mean window?`, `unknown item "msg"; did you mean message?`}},
	{`//ratelimit:@@max=3 @@interval=1s @@on_error=closed`, []string{`unknown item "max"; did you mean limit?`, `unknown item "interval"; did you mean window?`, `unknown item "on_error"; did you mean fail?`}},
	{`//ratelimit:limit=3 window=3s @@algorithm=sliding`, []string{`unknown item "algorithm": an algorithm is a flag: write sliding`}},
	{`//ratelimit:limit=3 window=3s @@algo="token-bucket"`, []string{`unknown item "algo": an algorithm is a flag: write token`}},
	{`//ratelimit:limit=3 window=3s @@algorithm=best`, []string{`unknown item "algorithm": an algorithm is a flag: write fixed, sliding, counter, token or leaky`}},
	{`//ratelimit:limit=3 window=3s @@sliding-window`, []string{`unknown item "sliding-window"; did you mean sliding?`}},
	{`//ratelimit:limit=3 window=3s @@token_bucket`, []string{`unknown item "token_bucket"; did you mean token?`}},
	{`//ratelimit:limit=3 window=3s fixed @@fall-back=F`, []string{`unknown item "fall-back"; did you mean fallback?`}},
	{`//ratelimit:limit=3 window=3s fixed @@a-b`, []string{`unknown item "a-b": the flags are fixed, sliding, counter, token, leaky, private and shadow`}},
	{`//ratelimit:limit=3 window=3s fixed @@shadow-`, []string{`"shadow-" is no item: items are name=value or a flag, separated by blanks`}},
	{`//ratelimit:wrap @@like=X`, []string{`unknown item "like": the items are as`}},
	{`//ratelimit:@@skp`, []string{`unknown directive //ratelimit:skp; did you mean //ratelimit:skip?`}},
	{`@@@@//ratelimit:@@wrap=x`, []string{`the rule has no limit: add limit=3`, `the rule has no window: add window=60s`, `unknown item "wrap": the items are key, by, limit, window, tz, fixed, sliding, counter, token, leaky, burst, cost, when, wait, fallback, check, message, fail, refund, name, tag, private, log and shadow`}},
	{`//ratelimit:@@as=X limit=3 window=3s fixed`, []string{`as cannot stand in a rule, only in //ratelimit:wrap`}},
	{`//ratelimit:@@rollout=10% @@ban=3/1m:1h limit=3 window=3s fixed`, []string{`rollout is not supported yet`, `ban is not supported yet`}},
	{`//ratelimit:message='it'@@'s' limit=3 window=3s fixed`, []string{`"'s'" is no item: items are name=value or a flag, separated by blanks`}},
	{`//ratelimit:@@message="" limit=3 window=3s fixed`, []string{`message is empty`}},
	{`//ratelimit:@@message="a\qb" limit=3 window=3s fixed`, []string{`message has a broken quoted string: an escape is none of Go's`}},
	{`//ratelimit:@@message="\xff" limit=3 window=3s fixed`, []string{`message has a broken quoted string: it is no valid UTF-8`}},
	{`//ratelimit:message=@@hello limit=3 window=3s fixed`, []string{`a text stands in quotes: write "hello"`}},
	{`//ratelimit:message=@@hello my world limit=3 window=3s fixed`, []string{`a text stands in quotes: write "hello my world"`}},
	{`//ratelimit:message=@@"abc limit=3 window=3s fixed`, []string{`the quoted string is not closed`}},
	{`//ratelimit:message="abc"@@limit=3 window=3s fixed`, []string{`a blank is missing before "limit=3"`}},
	{`//ratelimit:@@fail=close limit=3 window=3s fixed`, []string{`fail is open, closed or local, not close; did you mean closed?`}},
	{`//ratelimit:@@fail="open" limit=3 window=3s fixed`, []string{`write fail=open without quotes`}},
	{`//ratelimit:@@fail=Open limit=3 window=3s fixed`, []string{`fail is open, closed or local, not Open; did you mean open?`}},
	{`//ratelimit:@@fail limit=3 window=3s fixed`, []string{`fail needs a value: write fail=open`}},
	{`//ratelimit:@@name=a..b limit=3 window=3s fixed`, []string{`name "a..b" is not made of letters, digits and _, joined by single dots; did you mean a.b?`}},
	{`//ratelimit:@@name=a-b limit=3 window=3s fixed`, []string{`name "a-b" is not made of letters, digits and _, joined by single dots; did you mean a_b?`}},
	{`//ratelimit:@@name="a b" limit=3 window=3s fixed`, []string{`name "a b" is not made of letters, digits and _, joined by single dots; did you mean a_b?`}},
	{`//ratelimit:@@name=svc/refund-burst: limit=3 window=3s fixed`, []string{`name "svc/refund-burst:" is not made of letters, digits and _, joined by single dots; did you mean svc.refund_burst?`}},
	{`//ratelimit:@@name=- limit=3 window=3s fixed`, []string{`name "-" is not made of letters, digits and _, joined by single dots`}},
	{`//ratelimit:@@name="a" limit=3 window=3s fixed`, []string{`write name=a without quotes`}},
	{`//ratelimit:@@tag="" limit=3 window=3s fixed`, []string{`tag is empty`}},
	{`//ratelimit:@@fallback=a.b.c limit=3 window=3s fixed`, []string{`fallback is the name of a method or function, not a.b.c; a method of the type is written fallback=c`}},
	{`//ratelimit:@@fallback=(*S).F limit=3 window=3s fixed`, []string{`fallback is the name of a method or function, not (*S).F; a method of the type is written fallback=F`}},
	{`//ratelimit:@@fallback=F() limit=3 window=3s fixed`, []string{`fallback names a method or function and does not call it: write fallback=F`}},
	{`//ratelimit:@@fallback=s.F(ctx) limit=3 window=3s fixed`, []string{`fallback names a method or function and does not call it: write fallback=s.F`}},
	{`//ratelimit:@@fallback="F" limit=3 window=3s fixed`, []string{`write fallback=F without quotes`}},
	{`//ratelimit:@@fallback=func limit=3 window=3s fixed`, []string{`fallback is the name of a method or function, not func`}},
	{`//ratelimit:@@fallback=3 limit=3 window=3s fixed`, []string{`fallback is the name of a method or function, not 3`}},
	{`//ratelimit:key=@@"a limit=3 window=3s fixed`, []string{`the quoted string is not closed`}},
	{`//ratelimit:key=f@@(a limit=3 window=3s fixed`, []string{`the bracket '(' is not closed`}},
	{`//ratelimit:key=@@[a, @@(b limit=3 window=3s fixed`, []string{`the bracket '[' is not closed`, `the bracket '(' is not closed`}},
	{`//ratelimit:key=f(a@@]) limit=3 window=3s fixed`, []string{`the bracket ']' closes none`}},
	{`//ratelimit:key=a@@) limit=3 window=3s fixed`, []string{`the bracket ')' closes none`}},
	{`//ratelimit:key="a"@@limit=3 window=3s fixed`, []string{`a blank is missing before "limit=3"`}},
	{`//ratelimit:key="a" @@"b" limit=3 window=3s fixed`, []string{"`\"b\"` is no item: items are name=value or a flag, separated by blanks"}},
	{`//ratelimit:key="a" @@b limit=3 window=3s fixed`, []string{`unknown item "b": the flags are fixed, sliding, counter, token, leaky, private and shadow`}},
	{`//ratelimit:key=a+@@limit=3 window=3s fixed`, []string{`a blank is missing before "limit=3"`}},
	{`//ratelimit:@@key=@@limit=3 window=3s fixed`, []string{`key has no value: write key="user:"+userID`, `a blank is missing before "limit=3"`}},
	{`//ratelimit:key=a @@= b limit=3 window=3s fixed`, []string{`a single "=" cannot stand in an expression: "==" compares`}},
	{`//ratelimit:key=a@@=b limit=3 window=3s fixed`, []string{`a single "=" cannot stand in an expression: "==" compares`}},
	{`//ratelimit:key=@@let x limit=3 window=3s fixed`, []string{`"let" cannot stand in an expression: an expression has no variables of its own`}},
	{`//ratelimit:key=a @@if b @@else c limit=3 window=3s fixed`, []string{`"if" cannot stand in an expression: write condition ? a : b`, `"else" cannot stand in an expression: write condition ? a : b`}},
	{`//ratelimit:key=@@if a {b} limit=3 window=3s fixed`, []string{`"if" cannot stand in an expression: write condition ? a : b`}},
	{`//ratelimit:@@key= "a" limit=3 window=3s fixed`, []string{`no blanks may stand around "=": write key=...`}},
	{`//ratelimit:@@key =a limit=3 window=3s fixed`, []string{`no blanks may stand around "=": write key=...`}},
	{`//ratelimit:key=a limit=3 window=3s fixed @@shadow=true`, []string{`shadow is a flag and takes no value`}},
	{`//ratelimit:@@ key=a limit=3 window=3s fixed`, []string{`no blank may follow //ratelimit:`}},
	{`//ratelimit:limit=3 window=1m fixed @@token`, []string{`fixed and token exclude each other`}},
	{`//ratelimit:limit=3 @@window=day`, []string{`tz: is missing: where a day begins depends on the time zone`}},
	{`//ratelimit:limit=3 @@window=day sliding tz=UTC`, []string{`window: a calendar word goes with fixed alone, not with sliding`}},
	{`//ratelimit:limit=3 window=24h @@tz=UTC`, []string{`tz: only a calendar window has a time zone`}},
	{`//ratelimit:limit=3 window=day @@tz=Mars/Base`, []string{`tz: there is no time zone "Mars/Base"`}},
	{`//ratelimit:limit=3 window=day @@tz=europe/BERLIN`, []string{`tz: there is no time zone "europe/BERLIN"; did you mean Europe/Berlin?`}},
	{`//ratelimit:limit=3 window=day @@tz=utc`, []string{`tz: there is no time zone "utc"; did you mean UTC?`}},
	{`//ratelimit:limit=3 window=day @@tz=Berlin`, []string{`tz: there is no time zone "Berlin"; did you mean Europe/Berlin?`}},
	{`//ratelimit:limit=3 window=day @@tz=america/NewYork`, []string{`tz: there is no time zone "america/NewYork"; did you mean America/New_York?`}},
	{`//ratelimit:limit=3 window=day @@tz=new-york`, []string{`tz: there is no time zone "new-york"; did you mean America/New_York?`}},
	{`//ratelimit:limit=3 window=day @@tz=Local`, []string{`tz: Local differs from machine to machine`}},
	{`//ratelimit:limit=3 window=day @@tz="UTC"`, []string{`write tz=UTC without quotes`}},
	{`//ratelimit:limit=3 window=1h @@burst=3`, []string{`burst: goes with token or leaky, not with fixed`}},
	{`//ratelimit:limit=3 window=1h token @@burst=0`, []string{`burst: is at least 1 for token`}},
	{`//ratelimit:limit=3 window=1h token @@burst=-1`, []string{`burst is at least 0, not -1`}},
	{`//ratelimit:limit=3 window=1h token @@burst=n`, []string{`burst is a whole number, not n`}},
	{`//ratelimit:limit=1 window=520w token @@burst=1000`, []string{`burst: 1000 calls at 1 in 87360h0m0s take more than a hundred years`}},
	{`//ratelimit:limit=3 window=31s @@leaky`, []string{`leaky: a full queue lasts 31s: say with wait= how long a call may wait`}},
	{`//ratelimit:limit=3 window=1s @@leaky burst=100`, []string{`leaky: a full queue lasts 33.333333s: say with wait= how long a call may wait`}},
	{`//ratelimit:limit=n window=1s @@leaky burst=100`, []string{`leaky: say with wait= how long a call may wait, since how long the queue lasts depends on the limit`}},
	{`//ratelimit:limit=3 window=1h @@wait=0s sliding`, []string{`wait: must be longer than 0`}},
	{`//ratelimit:limit=3 window=1h @@cost=0`, []string{`cost is at least 1, not 0`}},
	{`//ratelimit:limit=3 window=1h @@cost=-1`, []string{`cost is at least 1, not -1`}},
	{`//ratelimit:limit=3 window=1h @@cost=4`, []string{`cost: 4 is above 3, the most that one call can take: none would ever pass`}},
	{`//ratelimit:limit=3 window=1h token burst=2 @@cost=3`, []string{`cost: 3 is above 2, the most that one call can take: none would ever pass`}},
	{`//ratelimit:key=a @@by=ip limit=3 window=1h`, []string{`key and by exclude each other`}},
	{`//ratelimit:@@by=ip, @@user limit=3 window=1h`, []string{`the words of by are joined by commas without blanks, as in by=user,caller`, `unknown item "user": the flags are fixed, sliding, counter, token, leaky, private and shadow, and a key is written key=user`}},
	{`//ratelimit:@@by="ip" limit=3 window=1h`, []string{`write by=ip without quotes`}},
	{`//ratelimit:@@by=ip,ip limit=3 window=1h`, []string{`by names ip twice`}},
	{`//ratelimit:@@by=ip,usr limit=3 window=1h`, []string{`by is made of global, ip, user or caller, not "usr"; did you mean user?`}},
	{`//ratelimit:@@log=warning limit=3 window=1h`, []string{`log is debug, info, warn, error or off, not warning`}},
	{`//ratelimit:skip @@limit=3`, []string{`limit cannot stand in //ratelimit:skip, only in a rule`}},
	{`//ratelimit:default @@name=a`, []string{`name cannot stand in //ratelimit:default, only in a rule`}},
	{`//ratelimit:default fixed @@token`, []string{`fixed and token exclude each other`}},
	{`@@//ratelimit:wrap`, []string{`the directive has no items: write some, as in //ratelimit:wrap as=Mail`}},
	{`//ratelimit:limit=1@@,000 window=1s fixed`, []string{`a number has no commas: write limit=1_000`}},
	{`//ratelimit:limit=10@@,000,000 window=1s fixed`, []string{`a number has no commas: write limit=10_000_000`}},
	{`//ratelimit:limit=1@@,@@0000 window=1s fixed`, []string{`items are separated by blanks, not by ","`, `unknown item "0000": the flags are fixed, sliding, counter, token, leaky, private and shadow`}},
	{`//ratelimit:limit=3 window=1s token burst=1@@,500`, []string{`a number has no commas: write burst=1_500`}},
	{`//ratelimit:@@limit=10% window=1s fixed`, []string{`limit is a whole number, not 10%`}},
	{`//ratelimit:@@limit=10 % window=1s fixed`, []string{`limit is a whole number, not 10 %`}},
	{`//ratelimit:limit=3 @@window=9000d fixed`, []string{`window: 9000d is too long, the longest is ten years`}},
	{`//ratelimit:limit=3 @@window=1us fixed`, []string{`window: 1us is too short, the shortest is 1ms`}},
	{`@@//ratelimit:default`, []string{`the directive has no items: write some, as in //ratelimit:default window=1m sliding fail=closed`}},
	{`@@//ratelimit:and`, []string{`the directive has no items: write some, as in //ratelimit:and fail=closed message="too many mails"`}},
	{`//ratelimit:wrap @@Service`, []string{`//ratelimit:wrap: write as=Service`}},
	{`//ratelimit:wrap @@as="Service"`, []string{`write as=Service without quotes`}},
	{`//ratelimit:wrap @@as=a.b`, []string{`as is an identifier, not a.b`}},
	{`//ratelimit:wrap @@as=_`, []string{`as is an identifier, not _`}},
	{`//ratelimit:key=a @@as=X limit=3 window=1h`, []string{`as cannot stand in a rule, only in //ratelimit:wrap`}},
	{`@@//ratelimit:`, []string{`the directive has no items: write some, as in //ratelimit:limit=100 window=1m sliding`}},
	{`@@//ratelimit:   `, []string{`the directive has no items: write some, as in //ratelimit:limit=100 window=1m sliding`}},
	{`@@// ratelimit:key=a`, []string{`a directive starts with //ratelimit:`}},
	{`@@`, []string{`a directive starts with //ratelimit:`}},
}

func TestProblems(t *testing.T) {
	for _, tt := range badTests {
		parts := strings.Split(tt.text, mark)
		text := strings.Join(parts, "")
		d, problems := Parse(text)
		problems = append(problems, Check(d)...)
		slices.SortStableFunc(problems, func(a, b Problem) int { return a.Off - b.Off })
		var got, want []string
		for _, p := range problems {
			got = append(got, fmt.Sprintf("%d: %s", p.Off, p.Text))
		}
		off := 0
		for i, text := range tt.want {
			off += len(parts[i])
			want = append(want, fmt.Sprintf("%d: %s", off, text))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("problems of %s (-want +got):\n%s", text, diff)
		}
	}
}
