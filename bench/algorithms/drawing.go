package main

import (
	"fmt"
	"strings"
)

// tenth is a length in tenths of a pixel: whole numbers, so that no machine
// rounds a drawing another way.
type tenth int

func px(n int) tenth { return tenth(10 * n) }

// String writes the length in pixels.
func (t tenth) String() string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	if t%10 == 0 {
		return fmt.Sprintf("%s%d", sign, t/10)
	}
	return fmt.Sprintf("%s%d.%d", sign, t/10, t%10)
}

// drawing is the text of an SVG.
type drawing struct{ strings.Builder }

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *drawing) text(class string, x, y tenth, text string) {
	d.printf(`<text class="%s" x="%v" y="%v">%s</text>`, class, x, y, text)
}

func (d *drawing) rect(class string, x, y, width, height tenth) {
	d.printf(`<rect class="%s" x="%v" y="%v" width="%v" height="%v"/>`, class, x, y, width, height)
}

func (d *drawing) line(class string, x1, y1, x2, y2 tenth) {
	d.printf(`<path class="%s" d="M%v %vL%v %v"/>`, class, x1, y1, x2, y2)
}

// group moves what is drawn between it and its end.
func (d *drawing) group(x, y tenth) { d.printf(`<g transform="translate(%v %v)">`, x, y) }

func (d *drawing) end() { d.printf(`</g>`) }

// scale is how numbers become lengths: most of them take the whole length.
type scale struct {
	length tenth
	most   int
}

func (s scale) at(n int) tenth { return s.length * tenth(n) / tenth(s.most) }

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

const gap tenth = 4 // between bars

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
