package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

// spot is one row in one cell, looked at by itself.
type spot struct {
	row    string
	at     cell
	local  bool   // of the rows in this process
	cpu    string // files for profiles, or none
	allocs string
}

// look measures one row for ten slices, and writes its profiles.
func (s *series) look(where spot) error {
	rows := s.rows
	if where.local {
		rows, s.before = inProcessRows(s.lab), nearlyAll
	}
	for _, c := range rows {
		if c.name == where.row && (c.only == nil || c.only(where.at)) && c.open != nil {
			return s.lookAt(c, where)
		}
	}
	return fmt.Errorf("no row is named %q there", where.row)
}

func (s *series) lookAt(c *contender, where spot) error {
	subject, err := c.open(where.at.job)
	if err != nil {
		return err
	}
	defer subject.close()
	if err := errors.Join(subject.ready(where.at.job), s.use(subject, where.at.job)); err != nil {
		return err
	}
	plan := s.plan(c, where.at)
	plan.Measure *= 10
	got, err := profiled(where, plan, subject.call)
	if err == nil {
		err = verdict(got, where.at.job)
	}
	one := sampleOf(got)
	fmt.Printf("%s, %v: %s calls a second, %s µs, 99 of 100 %s µs, %s allocations\n", c.name, where.at,
		perSecondText(one.rate), short(one.p50), short(one.p99), short(one.mallocs))
	return err
}

func profiled(where spot, plan load.Plan, call load.Call) (*load.Sample, error) {
	if where.allocs != "" {
		runtime.MemProfileRate = 512
	}
	if where.cpu != "" {
		f, err := os.Create(where.cpu)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, err
		}
		defer pprof.StopCPUProfile()
	}
	got := load.Run(plan, call)
	return got, writeAllocs(where.allocs)
}

func writeAllocs(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	time.Sleep(10 * time.Millisecond)
	runtime.GC()
	return pprof.Lookup("allocs").WriteTo(f, 0)
}
