package main

import (
	"fmt"
	"strconv"

	"github.com/ratelimitgen/ratelimitgen/bench/load"
)

// job is what callers ask for.
type job int

const (
	admitted job = iota // one bucket, that never refuses
	random              // one of many buckets, that never refuse
	refused             // one bucket, that always refuses
	jobs
)

func (j job) String() string {
	return [...]string{"one hot key, admitted", number(keyCount) + " random keys, admitted", "one hot key, refused"}[j]
}

// passes reports whether all calls of the job pass.
func (j job) passes() bool { return j != refused }

const (
	keyCount = 100_000
	hot      = 50_086 // the only key of the other jobs
)

// user is whom a caller's next call is for.
func (j job) user(c *load.Caller) int64 {
	if j == random {
		return int64(c.Below(keyCount))
	}
	return hot
}

// key is the key of the caller's next call, which is there already.
func (j job) key(c *load.Caller) string { return keys[j.user(c)] }

// keys are of the users, as generated code makes them.
var keys = func() []string {
	all := make([]string, keyCount)
	for i := range all {
		all[i] = "user:" + strconv.Itoa(i)
	}
	return all
}()

// cell is where a row has a figure.
type cell struct {
	job     job
	callers int
}

func (c cell) String() string { return fmt.Sprintf("%v, %s", c.job, countOf(c.callers, "caller")) }

var callers = []int{1, 16, 128, 1024}

// cells are all that there are.
func cells() []cell {
	var all []cell
	for j := range jobs {
		for _, n := range callers {
			all = append(all, cell{j, n})
		}
	}
	return all
}
