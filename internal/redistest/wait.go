package redistest

import (
	"testing"
	"time"
)

// await waits for holds, which servers make true.
func await(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for end := time.Now().Add(3 * patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if holds() {
			return
		}
	}
	tb.Fatalf("redistest: waited in vain for %s", what)
}
