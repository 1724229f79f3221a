package memory

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
	"github.com/ratelimitgen/ratelimitgen/runtime/storetest"
)

func TestSuite(t *testing.T) {
	storetest.Run(t, func(t testing.TB, clock func() time.Time) ratelimit.Store {
		s := New(WithClock(clock))
		t.Cleanup(func() { s.Close() })
		return s
	})
}
