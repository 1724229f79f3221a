// Package parallel does things side by side that need nothing of each other.
package parallel

import (
	"runtime"
	"sync"
)

// Map returns what f makes of each element, in their order. It calls f for as
// many at a time as there are processors.
func Map[S, T any](all []S, f func(S) T) []T {
	made := make([]T, len(all))
	next := make(chan int, len(all))
	for i := range all {
		next <- i
	}
	close(next)
	var busy sync.WaitGroup
	for range min(len(all), runtime.GOMAXPROCS(0)) {
		busy.Go(func() {
			for i := range next {
				made[i] = f(all[i])
			}
		})
	}
	busy.Wait()
	return made
}
