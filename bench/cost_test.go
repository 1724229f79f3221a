package bench

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ratelimitgen/ratelimitgen/internal/rules"
)

// plenty is a limit that no test reaches.
const plenty = 50_000

// TestSlidingWindow compares with a sorted set of so many entries.
func TestSlidingWindow(t *testing.T) {
	r := newRig(t)
	for _, n := range []int{20, 200, 2000} {
		pair := func(limit int, window time.Duration) (*contender, *contender) {
			return single(rules.SlidingWindow, "a", int64(limit), window), sortedSet("b", int64(limit), window)
		}
		t.Run(fmt.Sprint("refusal at ", n), func(t *testing.T) {
			a, b := pair(n, time.Hour)
			r.duel(t, duel{a, b, false, r.times(t, n), 0.85})
		})
		t.Run(fmt.Sprint("admission at ", n), func(t *testing.T) {
			a, b := pair(plenty, time.Hour)
			r.duel(t, duel{a, b, true, r.times(t, n), 1.3})
		})
		// As many entries expire as there are calls.
		t.Run(fmt.Sprint("admission and expiry at ", n), func(t *testing.T) {
			a, b := pair(plenty, time.Duration(n)*70*time.Microsecond)
			r.duel(t, duel{a, b, true, r.times(t, n), 1.3})
		})
	}
}

func TestFixedWindow(t *testing.T) {
	r := newRig(t)
	t.Run("admission", func(t *testing.T) {
		a, b := single(rules.FixedWindow, "a", plenty, time.Hour), counter("b", plenty, time.Hour)
		r.duel(t, duel{a, b, true, r.times(t, 1), 1.5})
	})
	t.Run("refusal", func(t *testing.T) {
		a, b := single(rules.FixedWindow, "a", 5, time.Hour), counter("b", 5, time.Hour)
		r.duel(t, duel{a, b, false, r.times(t, 5), 1.5})
	})
}

func TestBuckets(t *testing.T) {
	r := newRig(t)
	for _, a := range []rules.Algorithm{rules.TokenBucket, rules.LeakyBucket, rules.SlidingCounter} {
		t.Run(a.Info().Item+" admission", func(t *testing.T) {
			ours, usual := single(a, "a", plenty, time.Hour), hash("b", plenty, time.Hour)
			r.duel(t, duel{ours, usual, true, r.times(t, 1), 1})
		})
		t.Run(a.Info().Item+" refusal", func(t *testing.T) {
			ours, usual := single(a, "a", 5, time.Hour), hash("b", 5, time.Hour)
			r.duel(t, duel{ours, usual, false, r.times(t, 6), 0.7})
		})
	}
}

// TestThreeRules compares a call of three rules with one of a single rule.
func TestThreeRules(t *testing.T) {
	r := newRig(t)
	for _, a := range rules.Algorithms() {
		for _, pass := range []bool{true, false} {
			t.Run(fmt.Sprint(a.Info().Item, " pass=", pass), func(t *testing.T) {
				limit := int64(plenty)
				if !pass {
					limit = 5
				}
				three := several(slices.Repeat([]rules.Algorithm{a}, 3), limit, time.Hour)
				r.duel(t, duel{three, single(a, "a", limit, time.Hour), pass, r.times(t, 6), 2.5})
			})
		}
	}
}
