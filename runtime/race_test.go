//go:build race

package ratelimit_test

// poolLoss is how many allocations a call may make since the race detector has
// pools forget some of what they hold.
const poolLoss = 2
