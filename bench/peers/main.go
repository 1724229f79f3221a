package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/page"
)

// options are the command's.
type options struct {
	root  string
	short bool
	write bool
	pool  int
	schedule
	local schedule // of what decides in this process
	sizes []int    // numbers of keys
	spot           // in place of all, where its row is named
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.StringVar(&o.root, "root", "..", "the repository")
	flags.BoolVar(&o.short, "short", false, "take a minute or so, and leave the page alone")
	flags.BoolVar(&o.write, "write", true, "write the page and the picture, unless -short")
	flags.IntVar(&o.pool, "pool", 0, "connections of each go-redis client; 0 is the library's choice")
	flags.Uint64Var(&o.seed, "seed", 1, "of all random numbers")
	flags.DurationVar(&o.slice, "slice", 100*time.Millisecond, "of one row in one round")
	flags.IntVar(&o.rounds, "rounds", 21, "at most")
	flags.DurationVar(&o.budget, "budget", 320*time.Second, "after which no round over Redis begins")
	flags.StringVar(&o.row, "row", "", "look at this row alone, as the tables name it, and write no page")
	flags.IntVar((*int)(&o.at.job), "job", 0, "with -row: 0 admitted, 1 random keys, 2 refused")
	flags.IntVar(&o.at.callers, "callers", 128, "with -row")
	flags.BoolVar(&o.spot.local, "local", false, "with -row: one that decides in this process")
	flags.StringVar(&o.cpu, "cpu", "", "with -row: the `file` for a profile of the time")
	flags.StringVar(&o.allocs, "allocs", "", "with -row: the `file` for a profile of the allocations")
	err := flags.Parse(args)
	if o.at.job < 0 || o.at.job >= jobs {
		err = fmt.Errorf("there is no job %d", o.at.job)
	}
	o.every, o.sizes = 5, []int{100_000, 1_000_000, 10_000_000}
	o.local = schedule{seed: o.seed, slice: o.slice / 2, rounds: 21, before: nearlyAll}
	if o.short {
		o.hurry()
	}
	return o, err
}

func (o *options) hurry() {
	o.write, o.slice, o.rounds, o.sizes = false, o.slice/4, 3, o.sizes[:2]
	o.local.slice, o.local.rounds = o.local.slice/4, 3
}

func main() {
	o, err := parse(os.Args[1:])
	if err == nil {
		err = measure(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func measure(o options) error {
	l, err := openLab(o.pool)
	if err != nil {
		return err
	}
	defer l.close()
	if o.row != "" {
		return l.look(o)
	}
	where, err := l.where()
	if err != nil {
		return err
	}
	f, err := l.figures(o)
	if err != nil {
		return err
	}
	f.where = where
	blocks := f.blocks()
	for _, b := range blocks {
		fmt.Printf("%s\n\n%s\n", b.Name, b.Text)
	}
	if !o.write {
		return nil
	}
	return f.write(o.root, blocks)
}

// write fills in the pages and draws the picture.
func (f *figures) write(root string, blocks []page.Block) error {
	if err := thePage.Update(root, blocks); err != nil {
		return err
	}
	if err := f.quote(root); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, pictureName), []byte(f.remote.picture(f.where)), 0o644)
}

func (l *lab) look(o options) error {
	rows, err := allRows(l, o)
	if err != nil {
		return err
	}
	s := series{lab: l, schedule: o.schedule, rows: rows}
	return s.look(o.spot)
}

var thePage = page.Page{Name: "docs/performance.md", Writer: "make bench"}

const pictureName = "docs/performance.svg"
