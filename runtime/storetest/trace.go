package storetest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The environment variables that rule the random traces.
const (
	// StepsVar is how many decisions are compared, 100,000 unless set; with
	// -short a tenth of that.
	StepsVar = "STORETEST_STEPS"
	// SeedVar is the seed of one trace, as a failure prints it. Only that one
	// is run then.
	SeedVar = "STORETEST_SEED"
)

const (
	defaultSteps  = 100_000
	stepsPerTrace = 250
)

func (s Suite) trace(t *testing.T) {
	b := s.open(t)
	if seed, ok := variable(t, SeedVar); ok {
		b.compare(t, seed)
		return
	}
	steps, given := variable(t, StepsVar)
	if !given {
		steps = defaultSteps
		if testing.Short() {
			steps /= 10
		}
	}
	for seed := range max(1, steps/stepsPerTrace) {
		b.compare(t, seed)
	}
	t.Logf("compared %d decisions with the oracle (%s=%d)", steps, StepsVar, steps)
}

func variable(t *testing.T, name string) (int64, bool) {
	text := os.Getenv(name)
	if text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n, true
}

// compare runs the trace of one seed. It brings its own rules, so that it
// finds empty buckets in a store that other traces have used.
func (b *bench) compare(t *testing.T, seed int64) {
	g := newGenerator(seed, b.suite)
	b.clock.Set(pick(g, []int64{0, epoch, epoch, epoch, epoch}))
	var past []moment
	for range stepsPerTrace {
		m := moment{time: g.time(b.clock.Micros())}
		m.demand, m.stores = g.demand(past)
		b.clock.Set(m.time)
		m.want, m.got = ask(t, b.oracle, m.demand), ask(t, b.store, m.stores)
		past = append(past, m)
		if fault := b.fault(t, m); fault != "" {
			t.Fatalf("%s\nThis is seed %d (%s=%d), step %d. What happened to these buckets:\n%s",
				fault, seed, SeedVar, seed, len(past)-1, story(past))
		}
		g.learn(m)
	}
}

func (b *bench) fault(t *testing.T, m moment) string {
	if !m.got.equal(m.want) {
		return fmt.Sprintf("got  %v\nwant %v", m.got, m.want)
	}
	return b.checkTTL(t, m.demand, m.got)
}

// moment is one step of a trace.
type moment struct {
	time int64
	demand
	stores    demand // the same with the store's receipts
	want, got Answer
}

// story tells the last moments that touched the buckets of the last one.
func story(past []moment) string {
	const most = 12
	touched := map[id]bool{}
	for i := range past[len(past)-1].items {
		touched[idOf(&past[len(past)-1].items[i])] = true
	}
	var lines []string
	for i := len(past) - 1; i >= 0 && len(lines) < most; i-- {
		if past[i].touches(touched) {
			lines = append(lines, past[i].String())
		}
	}
	var s strings.Builder
	for i := range lines {
		s.WriteString(lines[len(lines)-1-i])
	}
	return s.String()
}

func (m moment) touches(buckets map[id]bool) bool {
	for i := range m.items {
		if buckets[idOf(&m.items[i])] {
			return true
		}
	}
	return false
}

func (m moment) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "at %d: %s\n", m.time-epoch, m.demand.name())
	for i := range m.items {
		fmt.Fprintf(&s, "    %s\n", show(&m.items[i]))
	}
	fmt.Fprintf(&s, "  got  %v\n", m.got)
	if !m.got.equal(m.want) {
		fmt.Fprintf(&s, "  want %v\n", m.want)
	}
	return s.String()
}
