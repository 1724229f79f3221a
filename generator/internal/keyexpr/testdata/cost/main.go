// Cost measures what generated keys cost next to keys that were written by
// hand, and next to expr's VM.
package main

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/runtime/exprkey"
)

// take is what a key is built for: it is kept, as in a request.
//
//go:noinline
func take(key string) int {
	kept = key
	return len(key)
}

var kept string

func byHand(userID int64) int {
	var buf [64]byte
	key := append(buf[:0], "sms:uid:"...)
	key = strconv.AppendInt(key, userID, 10)
	return take(string(key))
}

var program = exprkey.Compile(`"sms:uid:" + string(userID)`)

func onVM(userID int64) int {
	key, err := program.String(exprkey.Env{"userID": userID})
	if err != nil {
		panic(err)
	}
	return take(key)
}

var sink int

// fastest returns the least time of one call in several rounds.
func fastest(calls int, functions ...func(int64) int) []time.Duration {
	best := make([]time.Duration, len(functions))
	for round := range 20 {
		for i := range functions {
			f := functions[(i+round)%len(functions)]
			start := time.Now()
			for n := range calls {
				sink += f(int64(n) * 1_000_003)
			}
			took := time.Since(start)
			if at := (i + round) % len(functions); best[at] == 0 || took < best[at] {
				best[at] = took
			}
		}
	}
	return best
}

func allocations(f func(int64) int) float64 {
	return testing.AllocsPerRun(1000, func() { sink += f(1_234_567_890) })
}

func main() {
	calls, _ := strconv.Atoi(os.Args[1])
	best := fastest(calls, generated, byHand)
	vm := fastest(calls/20, onVM)[0] * 20
	each := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(calls) }
	fmt.Printf("generated %.1f ns %v allocs, by hand %.1f ns %v allocs, VM %.1f ns %v allocs, list %v allocs, ratio %.3f\n",
		each(best[0]), allocations(generated), each(best[1]), allocations(byHand), each(vm), allocations(onVM),
		allocations(list), float64(best[0])/float64(best[1]))
}
