package main

import (
	"testing"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// What is stated is not exceeded, and is no more than the end of an interval
// above what happens.
func TestWorstIsAsStated(t *testing.T) {
	for _, r := range worstRules() {
		_, most := bound(r)
		found := pressed(r)
		if calls := int64(found.calls); calls > most || calls < most-1 {
			t.Errorf("%s: %d calls passed in a window, stated are %d", title(r), calls, most)
		}
		turns := int64(found.turns)
		if r.Algorithm == ratelimit.LeakyBucket && (turns > 1+r.Limit || turns < r.Limit) {
			t.Errorf("%s: %d turns came in a window, stated are %d", title(r), turns, 1+r.Limit)
		}
	}
}

// The load of the picture shows what the page says of each algorithm.
func TestLoadTellsAlgorithmsApart(t *testing.T) {
	most := map[string]int{}
	for _, r := range loadRules() {
		for _, n := range withinLast(loadWindow, admitted(r), stepLength) {
			most[title(r)] = max(most[title(r)], n)
		}
	}
	for name, want := range map[string]struct{ above, to int }{
		"`fixed`":          {loadLimit, 2 * loadLimit},
		"`window=minute`":  {loadLimit, 2 * loadLimit},
		"`sliding`":        {loadLimit - 1, loadLimit},
		"`counter`":        {loadLimit, 2*loadLimit - 1},
		"`token burst=15`": {loadLimit, loadLimit + loadBurst},
		"`leaky burst=15`": {loadLimit - 1, loadLimit},
	} {
		if n := most[name]; n <= want.above || n > want.to {
			t.Errorf("%s: at most %d calls went in a window, want above %d and up to %d", name, n, want.above, want.to)
		}
	}
}
