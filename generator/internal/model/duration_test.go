package model

import (
	"testing"
	"time"
)

func TestDurationText(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]time.Duration{
		"1m":     time.Minute,
		"1h":     time.Hour,
		"1h30m":  90 * time.Minute,
		"1h0m5s": time.Hour + 5*time.Second,
		"10m":    10 * time.Minute,
		"20h":    20 * time.Hour,
		"168h":   7 * 24 * time.Hour,
		"30s":    30 * time.Second,
		"9m50s":  9*time.Minute + 50*time.Second,
		"500ms":  500 * time.Millisecond,
		"0s":     0,
	} {
		got := DurationText(d)
		if back, err := time.ParseDuration(got); got != want || err != nil || back != d {
			t.Errorf("DurationText(%v) = %s, want %s", d, got, want)
		}
	}
}
