package redisstore

import (
	"context"
	"testing"
)

// TestCallersLeaveWhileOthersBoard has callers leave before their flight begins:
// its errand ends with the last of them, and not before.
func TestCallersLeaveWhileOthersBoard(t *testing.T) {
	for name, c := range map[string]struct {
		early, late int // callers, of which the early ones leave before the others come
		stay        bool
	}{
		"the first":   {1, 1, true},
		"many":        {5, 3, true},
		"all":         {2, 2, false},
		"nobody else": {1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := new(flight)
			board := func(n int) (all []*call) {
				for range n {
					one := newCall()
					one.ctx = t.Context()
					f.board(one)
					all = append(all, one)
				}
				return all
			}
			leave := func(all []*call) {
				for _, one := range all {
					if !one.abandon() {
						t.Fatal("it has an answer")
					}
				}
			}
			leave(board(c.early))
			rest := board(c.late)
			if !c.stay {
				leave(rest)
			}
			if f.errand.Err() != nil {
				t.Error("the errand has ended before it began")
			}
			f.errand.leave() // as fly does
			if ended := f.errand.Err() == context.Canceled; ended == c.stay {
				t.Errorf("ended: %v", ended)
			}
		})
	}
}

// TestWhoHasLeftDoesNotBoard has a caller leave while its call waits to be asked
// again.
func TestWhoHasLeftDoesNotBoard(t *testing.T) {
	f, c := new(flight), newCall()
	c.ctx = t.Context()
	if !c.abandon() {
		t.Fatal("it has an answer")
	}
	if f.board(c); len(f.calls) != 0 || f.errand != nil {
		t.Error("it is on board")
	}
}
