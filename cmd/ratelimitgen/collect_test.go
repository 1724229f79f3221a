package main

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

var garbage []byte

// TestCollectLate fills the heap until there is a collection, and looks whether
// it is late and whether later ones are as usual. It changes the process, so no
// other test runs beside it.
func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	debug.SetGCPercent(100)
	debug.FreeOSMemory()
	collectLate()
	before := cycles()
	for range late >> 21 {
		garbage = make([]byte, 1<<20)
	}
	if n := cycles() - before; n > 0 {
		t.Errorf("%d collections before there is much garbage", n)
	}
	deadline := time.Now().Add(time.Minute)
	for debug.SetMemoryLimit(-1) != math.MaxInt64 {
		garbage = make([]byte, 1<<20)
		if time.Now().After(deadline) {
			t.Fatal("the first collection changes nothing")
		}
	}
	percent := debug.SetGCPercent(100)
	if percent != 100 {
		t.Errorf("then GOGC is %d", percent)
	}
}

func cycles() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
