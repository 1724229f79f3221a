package main

import (
	"fmt"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// figures are all that has been measured.
type figures struct {
	where         string
	pool, every   int
	remote, local *results
	crowds        map[string][]crowd
	pipelined     bool // there is a redis-benchmark
}

// figures measures what is in this process first, before clients are open whose
// goroutines, timers and memory outlast their rows.
func (l *lab) figures(o options) (*figures, error) {
	f := &figures{pool: l.pool, every: o.every, pipelined: installed()}
	local := series{lab: l, schedule: o.local, order: newOrder(o.seed), say: say}
	var err error
	if f.local, err = local.inProcess(); err != nil {
		return nil, err
	}
	rows, err := allRows(l, o)
	if err != nil {
		return nil, err
	}
	remote := series{lab: l, schedule: o.schedule, rows: rows, order: newOrder(o.seed), say: say}
	remote.warm()
	f.remote = remote.run()
	if f.crowds, err = crowds(o.sizes, crowdCalls, say); err != nil {
		return nil, err
	}
	return f, nil
}

// allRows are those over Redis.
func allRows(l *lab, o options) ([]*contender, error) {
	others, err := scriptRows(l)
	rows := append(ourRows(l), libraryRows(l)...)
	rows = append(rows, others...)
	if installed() {
		rows = append(rows, pipelined(l, o.slice))
	}
	return rows, err
}

// blocks are the page's.
func (f *figures) blocks() []page.Block {
	return []page.Block{
		{Name: "machine", Text: f.about()},
		{Name: "goals", Text: goalTable(append(remoteGoals(f.remote), localGoals(f.local)...))},
		{Name: "admitted", Text: f.remote.rates(admitted)},
		{Name: "waits", Text: f.remote.waits(admitted)},
		{Name: "random", Text: f.remote.rates(random)},
		{Name: "refused", Text: f.remote.rates(refused)},
		{Name: "allocations", Text: f.remote.allocations()},
		{Name: "faults", Text: f.faults()},
		{Name: "stages", Text: f.stages()},
		{Name: "memory", Text: f.memory()},
		{Name: "keys", Text: crowdTable(f.crowds)},
	}
}

func (f *figures) about() string {
	text := fmt.Sprintf("Measured with %s.\nMedians of %d rounds, for rows that no goal is about of one in %d; go-redis clients with %d connections.\n",
		f.where, f.remote.rounds, f.every, f.pool)
	if !f.pipelined {
		text += "redis-benchmark is not installed there: its row is missing, and so is the goal that it sets.\n"
	}
	return text
}

func (f *figures) faults() string {
	if all := f.remote.faults() + f.local.faults(); all != "" {
		return all
	}
	return "No call has failed.\n"
}

func (f *figures) memory() string {
	text := ""
	for j := range jobs {
		text += fmt.Sprintf("%v:\n\n%s\n", upper(j.String()), f.local.rates(j))
	}
	return text
}

func upper(text string) string {
	if text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}
