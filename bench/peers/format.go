package main

import (
	"fmt"
	"math"
	"strconv"
)

// number puts a comma between thousands.
func number(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// short is f with three digits or so.
func short(f float64) string {
	switch {
	case math.IsNaN(f):
		return "-"
	case f >= 100:
		return number(int64(math.Round(f)))
	case f >= 10:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 2, 64)
}

// perSecondText is a rate in thousands or millions.
func perSecondText(f float64) string {
	switch {
	case math.IsNaN(f):
		return "-"
	case f >= 1e6:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + " M"
	case f >= 1e5:
		return strconv.FormatFloat(f/1e3, 'f', 0, 64) + " k"
	}
	return strconv.FormatFloat(f/1e3, 'f', 1, 64) + " k"
}

// spread is the median of numbers and the half in the middle.
func spread(numbers []float64) string {
	if len(numbers) == 0 {
		return "not measured"
	}
	return fmt.Sprintf("%s (%s to %s)", short(median(numbers)), short(quantile(numbers, 0.25)), short(quantile(numbers, 0.75)))
}
