package faulttest

import (
	"fmt"
	"testing"
	"time"
)

// figures are what a cell of the matrix has been seen to cost.
type figures struct {
	slowest   time.Duration // call
	recovered time.Duration // after the store's return
	dials     int           // in all
	lines     int           // of the log
}

// table is the worst figures of each fault.
type table map[string]figures

func (t table) add(f fault, seen figures) {
	worst := t[f.name]
	t[f.name] = figures{
		max(worst.slowest, seen.slowest), max(worst.recovered, seen.recovered),
		max(worst.dials, seen.dials), max(worst.lines, seen.lines),
	}
}

// print logs the table as docs/operations.md has it.
func (t table) print(to testing.TB) {
	text := "| failure | slowest call | normal again after | connections made | lines of the log |\n| --- | --- | --- | --- | --- |\n"
	for _, f := range faults {
		worst := t[f.name]
		text += fmt.Sprintf("| %s | %d ms | %d ms | %d | %d |\n", f.name,
			worst.slowest.Milliseconds(), worst.recovered.Milliseconds(), worst.dials, worst.lines)
	}
	to.Log("the worst of each kind:\n" + text)
}
