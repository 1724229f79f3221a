package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLook(t *testing.T) {
	s := newSeries(t)
	dir := t.TempDir()
	for _, local := range []bool{false, true} {
		where := spot{row: nameHand, at: cell{admitted, 1}, local: local, allocs: filepath.Join(dir, "allocs")}
		if err := s.look(where); err != nil {
			t.Errorf("local: %v: %v", local, err)
		}
		if info, err := os.Stat(where.allocs); err != nil || info.Size() == 0 {
			t.Errorf("there is no profile: %v", err)
		}
	}
	if err := s.look(spot{row: "no such row"}); err == nil {
		t.Error("there is no such row")
	}
}
