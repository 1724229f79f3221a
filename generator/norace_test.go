//go:build !race

package generator_test

var raceFlags []string
