// Package svg writes drawings.
package svg

import (
	"fmt"
	"strings"
)

// Tenth is a length in tenths of a pixel: whole numbers, so that no machine
// rounds a drawing another way.
type Tenth int

// Px is so many pixels.
func Px(n int) Tenth { return Tenth(10 * n) }

// String writes the length in pixels.
func (t Tenth) String() string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	if t%10 == 0 {
		return fmt.Sprintf("%s%d", sign, t/10)
	}
	return fmt.Sprintf("%s%d.%d", sign, t/10, t%10)
}

// Drawing is the text of an SVG.
type Drawing struct{ strings.Builder }

// Printf adds a line of text.
func (d *Drawing) Printf(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// Text adds text of a class of the style.
func (d *Drawing) Text(class string, x, y Tenth, text string) {
	d.Printf(`<text class="%s" x="%v" y="%v">%s</text>`, class, x, y, text)
}

// Rect adds a rectangle.
func (d *Drawing) Rect(class string, x, y, width, height Tenth) {
	d.Printf(`<rect class="%s" x="%v" y="%v" width="%v" height="%v"/>`, class, x, y, width, height)
}

// Line adds a straight line.
func (d *Drawing) Line(class string, x1, y1, x2, y2 Tenth) {
	d.Printf(`<path class="%s" d="M%v %vL%v %v"/>`, class, x1, y1, x2, y2)
}

// Group moves what is drawn between it and its End.
func (d *Drawing) Group(x, y Tenth) { d.Printf(`<g transform="translate(%v %v)">`, x, y) }

// End ends a group.
func (d *Drawing) End() { d.Printf(`</g>`) }
