package generator_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const listed = `package p

import "context"

type T struct{}

//ratelimit:by=ip,user limit=n*2 window=day tz=UTC wait=2s refund=success log=error when=n > 1 cost=n private shadow
//ratelimit:key="k" limit=5 window=1m token burst=9 cost=3 fallback=f fail=closed message="m" refund=g tag="t"
func (*T) M(ctx context.Context, n int) error { return nil }

func f() error { return nil }

func g(error) bool { return true }
`

const (
	firstRule = `{"file":"a.go","line":7,"column":1,"package":"example.com","method":"T.M","name":"p.T.M.ip","algorithm":"fixed",` +
		`"limit":0,"limitBy":"n*2","window":"day","zone":"UTC","dimension":"ip","key":"ip()","when":"n \u003e 1","cost":"n","tag":"t",` +
		`"wait":"2s","refund":"success","log":"error","private":true,"shadow":true}`
	lastRule = `{"file":"a.go","line":8,"column":1,"package":"example.com","method":"T.M","name":"p.T.M.2","algorithm":"token",` +
		`"limit":5,"window":"1m","burst":9,"key":"\"k\"","cost":"3","tag":"t","fail":"closed","fallback":"f","message":"m","refund":"g"}`

	firstLine = "a.go:7:1: p.T.M.ip: (n*2) calls in a day of the calendar of UTC for each IP address when n > 1; " +
		"a call counts as n; a call waits up to 2s; a call that succeeds takes nothing; in shadow, so never refused"
	lastLine = "a.go:8:1: p.T.M.2: 5 calls in 1m0s on average, up to 9 at once for all callers together; " +
		"a call counts as 3; a call takes nothing where g says so of its error; fallback f; fail closed"
)

func TestRules(t *testing.T) {
	t.Parallel()
	module := newModule(t)
	write(t, filepath.Join(module, "a.go"), listed)
	result := generate(t, module)
	if text := problems(result); result.Failed() || len(result.Rules) != 3 {
		t.Fatalf("%d rules and the problems\n%s", len(result.Rules), text)
	}
	for i, want := range map[int][2]string{0: {firstLine, firstRule}, 2: {lastLine, lastRule}} {
		if diff := cmp.Diff(want[0], result.Rules[i].String()); diff != "" {
			t.Errorf("rule %d (-want +got):\n%s", i, diff)
		}
		got, err := json.Marshal(result.Rules[i])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[1], string(got)); diff != "" {
			t.Errorf("rule %d (-want +got):\n%s", i, diff)
		}
	}
}
