//go:build !race

package ratelimit_test

const poolLoss = 0
