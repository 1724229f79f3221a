package redisstore

import (
	"slices"
	"testing"
	"time"
)

// TestPauses asks in vain until there is no time left, each time as soon as the
// pause is over.
func TestPauses(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name          string
		least, within time.Duration
		want          []time.Duration
	}{
		{"in 50ms", firstPause, 50 * ms, []time.Duration{ms, 2 * ms, 4 * ms, 8 * ms, 16 * ms, 19 * ms / 2, 19 * ms / 4, 19 * ms / 8, 19 * ms / 16}},
		{"in 50ms, a replica", replicaPause, 50 * ms, []time.Duration{8 * ms, 16 * ms, 13 * ms}},
		{"in 10ms, a replica", replicaPause, 10 * ms, nil},
		{"in no time", firstPause, ms, nil},
		{"in a quarter of a second, a replica", replicaPause, 250 * ms, []time.Duration{8 * ms, 16 * ms, 32 * ms, 32 * ms, 32 * ms, 32 * ms, 32 * ms, 32 * ms, 17 * ms, 17 * ms / 2}},
	} {
		var got []time.Duration
		for remains, pause := c.within, time.Duration(0); ; remains -= pause {
			if pause = next(pause, c.least, remains); pause == 0 {
				break
			}
			got = append(got, pause)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: pauses of %v, want %v", c.name, got, c.want)
		}
	}
}
