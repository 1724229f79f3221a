package faulttest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// lasts is how long a fault lasts: the circuit opens, and is half-open once at
// least.
const lasts = 800 * time.Millisecond

// settings are the options that each fault and policy is run with.
var settings = []options{
	{batch: 64, deny: ratelimit.DefaultDenyAge},
	{batch: 64},
	{batch: 1, deny: ratelimit.DefaultDenyAge},
	{batch: 1},
}

func (o options) String() string { return fmt.Sprintf("batch %d, deny cache %v", o.batch, o.deny) }

func TestFaultMatrix(t *testing.T) {
	table := table{}
	defer table.print(t)
	all := len(faults) * len(policies) * len(settings)
	if full() {
		for _, f := range faults {
			for _, p := range policies {
				for _, o := range settings {
					table.add(f, cell(t, f, p, o))
				}
			}
		}
		return
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("RATELIMIT_TEST_SEED"), 10, 64); err == nil {
		seed = n
	}
	fmt.Printf("fault matrix: %d of %d cells, seed %d; all of them with RATELIMIT_TEST_FULL=1\n", len(faults), all, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for i, f := range faults {
		table.add(f, cell(t, f, policies[(i+int(seed))%len(policies)], settings[random.IntN(len(settings))]))
	}
}

func cell(t *testing.T, f fault, p policy, o options) (seen figures) {
	t.Run(fmt.Sprintf("%s/%s/%v", f.name, p.name, o), func(t *testing.T) {
		r := newRig(t, f, o, p.options()...)
		run := &run{rig: r, fault: f, policy: p, options: o}
		run.do()
		seen = run.figures
		r.close()
	})
	return seen
}

// run is one cell of the matrix.
type run struct {
	*rig
	fault   fault
	policy  policy
	options options

	crowd      crowd
	warm       time.Duration // when all had been well
	began      time.Duration // when the fault was there
	mended     time.Duration
	goroutines int
	conns      int
	records    []record
	figures
}

func (r *run) do() {
	r.crowd = crowd{limiter: r.limiter, hot: r.policy.requests("hot", hotLimit), wide: r.policy.requests("wide", wideLimit)}
	r.ready()
	r.crowd.begin()
	if _, ok := r.crowd.settled(150*time.Millisecond, 10*time.Second); !ok {
		r.t.Fatal("the store does not answer before there is a fault")
	}
	r.goroutines = runtime.NumGoroutine()
	r.conns, _ = r.connections()
	r.warm = r.crowd.now()
	r.fault.begin(r.rig)
	r.began = r.crowd.now()
	time.Sleep(lasts)
	r.mended = r.crowd.now()
	r.fault.end(r.rig)
	back := r.crowd.now()
	from, ok := r.crowd.settled(300*time.Millisecond, 10*time.Second)
	if r.recovered = max(from-back, 0); !ok {
		r.t.Errorf("the store is not asked again")
	}
	r.records = r.crowd.end()
	r.check()
}

func (r *run) ready() {
	await(r.t, "Ready", func() bool { return r.limiter.Ready(r.t.Context()) == nil })
}
