package faulttest

import (
	"fmt"
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
			shares = append(shares, fmt.Sprintf("%s %d", one.name, (200*one.n+o.all())/(2*o.all())))
		}
	}
	return strings.Join(shares, ", ")
}

// table is what has been seen of each fault.
type table struct {
	worst    map[string]figures
	outcomes map[[2]string]*outcomes // of a fault and a policy
}

func newTable() table { return table{map[string]figures{}, map[[2]string]*outcomes{}} }

func (t table) add(f fault, p policy, seen figures) {
	worst := t.worst[f.name]
	t.worst[f.name] = figures{
		slowest: max(worst.slowest, seen.slowest), latest: max(worst.latest, seen.latest),
		recovered: max(worst.recovered, seen.recovered), dials: max(worst.dials, seen.dials), lines: max(worst.lines, seen.lines),
	}
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

func (t table) costs() string {
	text := "| failure | slowest call | bare timer late by | normal again after | connections made | lines of the log |\n" +
		strings.Repeat("| --- ", 6) + "|\n"
	for _, f := range faults {
		w := t.worst[f.name]
		text += fmt.Sprintf("| %s | %d ms | %d ms | %d ms | %d | %d |\n", f.name,
			w.slowest.Milliseconds(), w.latest.Milliseconds(), w.recovered.Milliseconds(), w.dials, w.lines)
	}
	return text
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
