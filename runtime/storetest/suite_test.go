package storetest

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestOracle runs the suite on its own oracle: the cases, whose answers are
// written by hand, hold for the definition itself.
func TestOracle(t *testing.T) {
	t.Setenv(StepsVar, "2500")
	Suite{
		Open:       func(_ testing.TB, clock func() time.Time) ratelimit.Store { return NewOracle(clock) },
		Operations: true,
	}.Run(t)
}
