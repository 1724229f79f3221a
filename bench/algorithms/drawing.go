package main

import (
	"fmt"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/bench/svg"
)

// scale is how numbers become lengths: most of them take the whole length.
type scale struct {
	length svg.Tenth
	most   int
}

func (s scale) at(n int) svg.Tenth { return s.length * svg.Tenth(n) / svg.Tenth(s.most) }

// bars is a path of bars that stand on the bottom of a plot, one a bin.
func bars(counts []int, x, y scale) string {
	var path strings.Builder
	for i, n := range counts {
		if n > 0 {
			width := x.at(i+1) - x.at(i) - gap
			fmt.Fprintf(&path, "M%v %vv%vh%vv%vz", x.at(i), y.length, -y.at(n), width, y.at(n))
		}
	}
	return path.String()
}

const gap svg.Tenth = 4 // between bars

// steps is the path of an area that has one height a bin.
func steps(counts []int, x, y scale) string {
	var path strings.Builder
	fmt.Fprintf(&path, "M0 %v", y.length)
	height := 0
	for i, n := range counts {
		if n != height {
			fmt.Fprintf(&path, "H%vV%v", x.at(i), y.length-y.at(n))
			height = n
		}
	}
	fmt.Fprintf(&path, "H%vV%vz", x.length, y.length)
	return path.String()
}
