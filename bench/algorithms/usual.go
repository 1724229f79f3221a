package main

import (
	"strconv"
	"time"
)

// usual is one of the scripts that one would write without a library.
type usual struct {
	name  string // in yardsticks/
	title string
	args  func(limit int64) []any
}

const usualWindow = time.Hour

var (
	usualCounter = usual{"counter", "usual fixed window: INCR, PEXPIRE, PTTL", func(limit int64) []any {
		return []any{usualWindow.Milliseconds(), limit}
	}}
	usualHash = usual{"hash", "usual token bucket: HMGET, HMSET, EXPIRE", func(limit int64) []any {
		return []any{time.Now().UnixMicro(), usualWindow.Microseconds(), limit, 1}
	}}
	usualSet = usual{"sortedset", "usual sliding window: a sorted set", func(limit int64) []any {
		member++
		now := time.Now().UnixMicro()
		return []any{now, usualWindow.Microseconds(), limit, strconv.FormatInt(now, 10) + ":" + strconv.Itoa(member)}
	}}

	member int // of a sorted set
)
