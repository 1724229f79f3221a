package main

import "testing"

func newLab(t *testing.T) *lab {
	t.Helper()
	l, err := openLab(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}
