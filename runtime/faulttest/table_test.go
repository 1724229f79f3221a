package faulttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// figures are what a cell of the matrix has been seen to cost.
type figures struct {
	slowest   time.Duration // call
	latest    time.Duration // by how much a bare timer was late
	recovered time.Duration // after the store's return
	dials     int           // in all
	lines     int           // of the log
	outcome   outcomes      // of the calls made and ended while the fault was there
}

// outcomes are how many calls ended how.
type outcomes [other + 1]int

func (o outcomes) all() (n int) {
	for _, one := range o {
		n += one
	}
	return n
}

// String is the shares in percent: D decided, P passed and L refused in this
// process, U unavailable.
func (o outcomes) String() string {
	shares := []string{}
	for _, one := range []struct {
		name string
		n    int
	}{
		{"D", o[passed] + o[refused]}, {"P", o[passedDegraded]}, {"L", o[refusedDegraded]}, {"U", o[unavailable]}, {"?", o[other]},
	} {
		if one.n > 0 {
			share := fmt.Sprint((200*one.n + o.all()) / (2 * o.all()))
			if share == "0" {
				share = "<1"
			}
			shares = append(shares, one.name+" "+share)
		}
	}
	return strings.Join(shares, ", ")
}

// table is what has been seen of each fault.
type table struct {
	cells    map[string][]figures
	outcomes map[[2]string]*outcomes // of a fault and a policy
}

func newTable() table { return table{map[string][]figures{}, map[[2]string]*outcomes{}} }

func (t table) add(f fault, p policy, seen figures) {
	if seen.outcome.all() == 0 { // it was not run
		return
	}
	t.cells[f.name] = append(t.cells[f.name], seen)
	at := [2]string{f.name, p.name}
	if t.outcomes[at] == nil {
		t.outcomes[at] = new(outcomes)
	}
	for i, n := range seen.outcome {
		t.outcomes[at][i] += n
	}
}

// print logs the tables as docs/operations.md has them.
func (t table) print(to testing.TB) {
	to.Log("\n" + t.costs() + "\n" + t.became())
}

// costs is of durations the usual one, in half of the cells, and the worst one.
func (t table) costs() string {
	text := "| failure | slowest call | bare timer late by | normal again after | connections made | lines of the log |\n" +
		"| --- " + strings.Repeat("| ---: ", 5) + "|\n"
	for _, f := range faults {
		cells := t.cells[f.name]
		if len(cells) == 0 {
			continue
		}
		connections, lines := 0, 0
		for _, c := range cells {
			connections, lines = max(connections, c.dials), max(lines, c.lines)
		}
		text += fmt.Sprintf("| %s | %s | %s | %s | %d | %d |\n", f.name,
			usual(cells, func(c figures) time.Duration { return c.slowest }),
			usual(cells, func(c figures) time.Duration { return c.latest }),
			usual(cells, func(c figures) time.Duration { return c.recovered }), connections, lines)
	}
	return text
}

func usual(cells []figures, of func(figures) time.Duration) string {
	var all []time.Duration
	for _, c := range cells {
		all = append(all, of(c))
	}
	slices.Sort(all)
	return fmt.Sprintf("%d to %d ms", all[len(all)/2].Milliseconds(), all[len(all)-1].Milliseconds())
}

func (t table) became() string {
	text := "| failure |"
	for _, p := range policies {
		text += " " + p.name + " |"
	}
	text += "\n" + strings.Repeat("| --- ", len(policies)+1) + "|\n"
	for _, f := range faults {
		text += "| " + f.name + " |"
		for _, p := range policies {
			cell := ""
			if o := t.outcomes[[2]string{f.name, p.name}]; o != nil {
				cell = o.String()
			}
			text += " " + cell + " |"
		}
		text += "\n"
	}
	return text
}
