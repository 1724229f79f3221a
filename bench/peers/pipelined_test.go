package main

import (
	"testing"
	"time"
)

func TestPipelined(t *testing.T) {
	if !installed() {
		t.Log("redis-benchmark is not installed: its row is left out of the tables")
		return
	}
	l := newLab(t)
	c := pipelined(l, 20*time.Millisecond)
	for range 2 {
		s, err := c.whole(cell{admitted, 1024})
		if err != nil {
			t.Fatal(err)
		}
		if s.rate <= 0 || s.p50 <= 0 || s.p99 < s.p50 {
			t.Errorf("got %+v", s)
		}
	}
	if n, err := l.admin.DBSize(t.Context()).Result(); err != nil || n != 1 {
		t.Errorf("there are %d keys, where all calls were for one: %v", n, err)
	}
}
