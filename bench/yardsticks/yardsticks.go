// Package yardsticks has the scripts that one would write without a limiter.
package yardsticks

import _ "embed"

var (
	// Counter is a fixed window. It takes the window in milliseconds and the
	// limit.
	//go:embed counter.lua
	Counter string

	// Hash is a token bucket. It takes the time and the window in
	// microseconds, the limit and the cost.
	//go:embed hash.lua
	Hash string

	// SortedSet is an exact sliding window. It takes the time and the window
	// in microseconds, the limit, and a member that is unique.
	//go:embed sortedset.lua
	SortedSet string
)
