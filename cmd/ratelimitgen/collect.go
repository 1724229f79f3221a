package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// late is the size that the heap may have before garbage is collected: most
// runs end before.
const late = 64 << 20

// collectLate puts the first collection of garbage off, after which all is as
// usual. It leaves alone what the environment says.
func collectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(late)
	collected := &struct{ self any }{}
	runtime.AddCleanup(collected, func(int) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, 0)
}
