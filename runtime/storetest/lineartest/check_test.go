package lineartest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// The environment variables that rule how many histories are checked.
const (
	// fullVar set to 1 asks for all of them.
	fullVar = "RATELIMIT_TEST_FULL"
	// seedVar is the seed of one history, as a failure prints it. Only that one
	// is run then.
	seedVar = "LINEARTEST_SEED"
)

const (
	all        = 1000
	usually    = 50
	checkLimit = time.Minute // for one history, which takes milliseconds

	leastOverlap = 50 // percent of the calls
)

// eachPlan checks the histories of all plans, or of the usual share.
func eachPlan(t *testing.T, play func(plan) []event) {
	plans := plansOf(t)
	calls, overlapped := 0, 0
	for _, p := range plans {
		events := play(p)
		check(t, p, events)
		calls += len(events)
		overlapped += overlaps(events)
	}
	t.Logf("%d of %d histories, %d%% (%s=1 runs all); %d%% of the calls overlapped others",
		len(plans), all, 100*len(plans)/all, fullVar, 100*overlapped/calls)
	if 100*overlapped < leastOverlap*calls {
		t.Errorf("histories whose calls do not overlap prove nothing")
	}
}

func plansOf(t *testing.T) []plan {
	if text := os.Getenv(seedVar); text != "" {
		seed, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", seedVar, err)
		}
		return []plan{planOf(seed)}
	}
	n := usually
	if os.Getenv(fullVar) == "1" {
		n = all
	}
	var plans []plan
	for seed := range n {
		plans = append(plans, planOf(int64(seed)))
	}
	return plans
}

func planOf(seed int64) plan { return plan{Seed: seed, Given: seed%2 == 1} }

// overlaps counts the events during which another caller's was under way.
func overlaps(events []event) int {
	n := 0
	for _, a := range events {
		if slices.ContainsFunc(events, func(b event) bool {
			return a.Caller != b.Caller && a.Begin < b.End && b.Begin < a.End
		}) {
			n++
		}
	}
	return n
}

// counted orders the events of one process.
func counted() func() int64 {
	var n atomic.Int64
	return func() int64 { return n.Add(1) }
}

// together lets n goroutines go on when all have come.
func together(n int) (ready func() error) {
	var all sync.WaitGroup
	all.Add(n)
	return func() error {
		all.Done()
		all.Wait()
		return nil
	}
}

// play runs the callers from first to last of p at once.
func play(p plan, s stores, first, last int, tick func() int64, ready func() error) ([]event, error) {
	var wg sync.WaitGroup
	var playing []*caller
	errs := make([]error, last-first)
	for i := first; i < last; i++ {
		c := newCaller(p, i, s, tick)
		playing = append(playing, c)
		wg.Go(func() {
			if err := ready(); err != nil {
				errs[i-first] = err
				return
			}
			errs[i-first] = c.run()
		})
	}
	wg.Wait()
	var events []event
	for i, c := range playing {
		if errs[i] != nil {
			return nil, fmt.Errorf("caller %d: %w", first+i, errs[i])
		}
		events = append(events, c.past...)
	}
	return events, nil
}

// linearizable checks events.
func linearizable(p plan, events []event) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(modelOf(p, events), operations(events), checkLimit)
}

func operations(events []event) []porcupine.Operation {
	var history []porcupine.Operation
	for _, e := range events {
		history = append(history, porcupine.Operation{
			ClientId: e.Caller, Input: e.Call, Call: e.Begin, Output: e.Answer, Return: e.End,
		})
	}
	return history
}

// check fails t unless events are linearizable.
func check(t *testing.T, p plan, events []event) {
	t.Helper()
	if result := linearizable(p, events); result != porcupine.Ok {
		t.Fatalf("history %d is not linearizable: %v (%s=%d runs it alone)%s\n%s",
			p.Seed, result, seedVar, p.Seed, picture(t, p, events), story(p, events))
	}
}

// picture draws how far the checker has come, for -artifacts to keep.
func picture(t *testing.T, p plan, events []event) string {
	model := modelOf(p, events)
	_, info := porcupine.CheckOperationsVerbose(model, operations(events), checkLimit)
	page := filepath.Join(t.ArtifactDir(), fmt.Sprintf("history%d.html", p.Seed))
	if err := porcupine.VisualizePath(model, info, page); err != nil {
		return fmt.Sprintf(", no picture of it: %v", err)
	}
	return ", -artifacts keeps " + page
}

func story(p plan, events []event) string {
	var s strings.Builder
	for i, r := range p.rules() {
		fmt.Fprintf(&s, "rule%d: %v limit=%d window=%v calendar=%v burst=%d\n", i, r.Algorithm, r.Limit, r.Window, r.Calendar, r.Burst)
	}
	inOrder := slices.SortedFunc(slices.Values(events), func(a, b event) int { return cmp.Compare(a.Begin, b.Begin) })
	for _, e := range inOrder {
		fmt.Fprintf(&s, "%d-%d caller %d, call %d: %s\n", e.Begin, e.End, e.Caller, e.Call.ID, describe(e.Call, e.Answer))
	}
	return s.String()
}
