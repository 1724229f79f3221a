//go:build race

package generator_test

// raceFlags make the go command share what this test was built of.
var raceFlags = []string{"-race"}
