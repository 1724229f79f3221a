package main

import (
	"testing"
	"time"
)

// A machine that has other things to do is no fault of a row.
func init() { patience = 30 * time.Second }

func newLab(t *testing.T) *lab {
	t.Helper()
	l, err := openLab(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}
