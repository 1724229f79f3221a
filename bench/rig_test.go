package bench

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/ratelimitgen/ratelimitgen/internal/redistest"
	"github.com/redis/go-redis/v9"
)

// contender is a script that is measured, and how it is called.
type contender struct {
	text   string
	keys   []string
	args   func() []any
	passed func(reply any) bool
	sha    string
}

// rig is a server on which contenders are measured in turn.
type rig struct{ client *redis.Client }

func newRig(t testing.TB) *rig { return &rig{redistest.Start(t).Client(t)} }

func (r *rig) load(t testing.TB, c *contender) {
	sha, err := r.client.ScriptLoad(t.Context(), c.text).Result()
	if err != nil {
		t.Fatal(err)
	}
	c.sha = sha
}

func (r *rig) call(t testing.TB, c *contender) bool {
	reply, err := r.client.EvalSha(context.Background(), c.sha, c.keys, c.args()...).Result()
	if err != nil {
		t.Fatal(err)
	}
	return c.passed(reply)
}

// usec is the server's mean time for one of n calls of c, sent one by one, all
// of which must pass or all be refused.
func (r *rig) usec(t testing.TB, c *contender, n int, pass bool) float64 {
	r.client.ConfigResetStat(t.Context())
	for range n {
		if r.call(t, c) != pass {
			t.Fatalf("a call was expected to pass: %v", pass)
		}
	}
	return redistest.ReadStats(t, r.client)["evalsha"].PerCall()
}

// duel measures two contenders in turn, and takes the best round of each: other
// work on the machine only ever adds to a time.
type duel struct {
	ours, yardstick *contender
	pass            bool
	prepare         func(*contender) // before every round
	goal            float64          // the most that ours may take of the yardstick's time
}

const (
	rounds = 21
	calls  = 200
)

func (r *rig) duel(t *testing.T, d duel) {
	best := [2]float64{math.Inf(1), math.Inf(1)}
	both := [2]*contender{d.ours, d.yardstick}
	for _, c := range both {
		r.load(t, c)
	}
	for range rounds {
		for i, c := range both {
			d.prepare(c)
			best[i] = min(best[i], r.usec(t, c, calls, d.pass))
		}
	}
	ratio := best[0] / best[1]
	t.Logf("%5.2f usec, the yardstick %5.2f: %.2f, goal %.2f", best[0], best[1], ratio, d.goal)
	if ratio > d.goal {
		t.Errorf("%.2f of the yardstick's time, the goal is %.2f", ratio, d.goal)
	}
}

// times calls a contender n times, on an empty bucket.
func (r *rig) times(t *testing.T, n int) func(*contender) {
	return func(c *contender) {
		r.client.Del(t.Context(), c.keys...)
		for range n {
			r.call(t, c)
		}
	}
}

func doubles(numbers ...int64) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(n)))
	}
	return b
}

// double is number i of a packed reply.
func double(reply any, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64([]byte(reply.(string))[8*i:]))
}
