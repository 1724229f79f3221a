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
const lasts = 750 * time.Millisecond

const patience = time.Minute

// settings are the options that each fault and policy is run with.
var settings = []options{
	{batch: 64, deny: ratelimit.DefaultDenyAge},
	{batch: 64, keeps: true},
	{batch: 1, deny: ratelimit.DefaultDenyAge},
	{batch: 1},
}

func (o options) String() string { return fmt.Sprintf("batch %d, deny cache %v", o.batch, o.deny) }

func TestFaultMatrix(t *testing.T) {
	table := newTable()
	defer table.print(t)
	all := len(faults) * len(policies) * len(settings)
	if full() {
		for _, f := range faults {
			for _, p := range policies {
				for _, o := range settings {
					table.add(f, p, cell(t, f, p, o))
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
		p := policies[(uint64(i)+seed)%uint64(len(policies))]
		table.add(f, p, cell(t, f, p, settings[random.IntN(len(settings))]))
	}
}

func cell(t *testing.T, f fault, p policy, o options) (seen figures) {
	t.Run(fmt.Sprintf("%s/%s/%v", f.name, p.name, o), func(t *testing.T) {
		run := &run{fault: f, policy: p, options: o, deadline: timeout}
		if f.harmless || f.oneKey { // no call may fail because the machine is busy
			run.deadline = 10 * time.Second
		}
		run.rig = newRig(t, f, o, append(p.options(), ratelimit.WithTimeout(run.deadline))...)
		run.do()
		seen = run.figures
		run.close()
	})
	return seen
}

// run is one cell of the matrix.
type run struct {
	*rig
	fault    fault
	policy   policy
	options  options
	deadline time.Duration // of a call

	crowd      crowd
	warm       time.Duration // when all had been well
	began      time.Duration // when the fault was there
	mended     time.Duration
	back       time.Duration // when the store was
	goroutines int
	records    []record
	outage
	figures
}

func (r *run) do() {
	r.crowd = crowd{limiter: r.limiter, hot: r.policy.requests("hot", hotLimit), wide: r.policy.requests("wide", wideLimit)}
	r.ready()
	timers := watch(timeout)
	r.crowd.begin()
	if _, ok := r.crowd.settled(150*time.Millisecond, patience); !ok {
		r.t.Fatal("the store does not answer before there is a fault")
	}
	// Those of the callers and the timers end. Each connection may have a sender,
	// and each of both pools one of the proxy.
	r.goroutines = runtime.NumGoroutine() - callers - watchers + poolSize
	if r.proxy != nil {
		r.goroutines += 2 * poolSize
	}
	r.warm = r.crowd.now()
	r.fault.begin(r.rig)
	r.began = r.crowd.now()
	r.last()
	r.mended = r.crowd.now()
	r.fault.end(r.rig)
	r.back = r.crowd.now()
	from, ok := r.crowd.settled(200*time.Millisecond, patience)
	if r.recovered = max(from-r.back, 0); !ok {
		r.t.Errorf("the store is not asked again")
	}
	r.records = r.crowd.end()
	r.latest = timers.stop()
	r.check()
}

// last returns when the fault has been there for long enough, on a machine on
// which calls are made meanwhile.
func (r *run) last() {
	enough := r.crowd.made.Load() + 4*callers
	time.Sleep(lasts)
	await(r.t, "calls while the fault is there", func() bool { return r.crowd.made.Load() >= enough })
	if !r.fault.harmless && !r.fault.oneKey && !r.fault.reads {
		await(r.t, "an open circuit", func() bool { return r.log.of(opened) > 0 })
	}
}

func (r *run) ready() {
	await(r.t, "Ready", func() bool { return r.limiter.Ready(r.t.Context()) == nil })
}
