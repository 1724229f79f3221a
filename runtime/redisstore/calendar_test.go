package redisstore

import (
	"testing"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// TestClientsClockIsFarOff has windows of the calendar around a time that is
// not the server's: it says so and is asked once more.
func TestClientsClockIsFarOff(t *testing.T) {
	for name, off := range map[string]time.Duration{"behind": -100 * time.Hour, "ahead": 100 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			server, _, s := standalone(t)
			day, hour := item(daily("day", 10), "k"), item(rule("hour", ratelimit.FixedWindow, 10, time.Hour), "k")
			must(t, s, day, hour)
			s.now = func() time.Time { return time.Now().Add(off) }
			server.ResetStats(t)
			b := must(t, s, hour, day)
			if b.Items[0].Remaining != 8 || b.Items[1].Remaining != 8 {
				t.Errorf("two calls of ten left %d and %d", b.Items[0].Remaining, b.Items[1].Remaining)
			}
			if calls := server.Stats(t)["evalsha"].Calls; calls != 2 {
				t.Errorf("%d commands, want 2", calls)
			}
			day.Shadow = true
			if b := must(t, s, hour, day); b.Items[0].Remaining != 7 || b.Items[1].Remaining != 7 {
				t.Errorf("three calls of ten left %d and, in shadow, %d", b.Items[0].Remaining, b.Items[1].Remaining)
			}
			b.Op = ratelimit.OpRefund
			if err := s.Do(t.Context(), b); err != nil || b.Items[0].Remaining != 8 || b.Items[1].Remaining != 8 {
				t.Errorf("the refund of a decision that was asked for twice: %v, %+v", err, b.Items)
			}
		})
	}
}

// TestServersClockDecides has a client whose clock is in the next window.
func TestServersClockDecides(t *testing.T) {
	server, _, s := standalone(t)
	day := item(daily("day", 10), "k")
	first := must(t, s, day)
	s.now = func() time.Time { return time.Now().Add(first.Items[0].ResetAfter + time.Minute) }
	server.ResetStats(t)
	if b := must(t, s, day); b.Items[0].Remaining != 8 {
		t.Errorf("two calls of ten left %d", b.Items[0].Remaining)
	}
	if calls := server.Stats(t)["evalsha"].Calls; calls != 1 {
		t.Errorf("%d commands, want 1", calls)
	}
}
