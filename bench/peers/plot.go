package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/ratelimitgen/ratelimitgen/bench/svg"
)

// The places of the picture.
var (
	plotWidth  = svg.Px(330)
	plotHeight = svg.Px(300)
	plotTop    = svg.Px(84)
	plotLeft   = svg.Px(56)
	plotGutter = svg.Px(96)
	width      = 2*plotLeft + 2*plotWidth + plotGutter
	height     = plotTop + plotHeight + svg.Px(110)
)

// style has light and dark grounds, and no variables: not every program that
// shows pictures knows them.
const style = `
text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#59636e}
.title{font-size:17px;font-weight:600;fill:#1f2328}
.name{font-size:13px;font-weight:600;fill:#1f2328}
.number{text-anchor:end;font-size:11px}
.time{text-anchor:middle;font-size:11px}
.back{fill:#fff}
.grid{stroke:#d1d9e0;fill:none}
.line{fill:none;stroke-width:2}
.c0{stroke:#0969da;stroke-width:3}
.c1{stroke:#8250df}
.c2{stroke:#1a7f37}
.c3{stroke:#9a6700}
.c4{stroke:#cf222e}
.c5{stroke:#57606a}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.name{fill:#f0f6fc}
.back{fill:#0d1117}
.grid{stroke:#30363d}
.c0{stroke:#4493f8}
.c1{stroke:#ab7df8}
.c2{stroke:#3fb950}
.c3{stroke:#d29922}
.c4{stroke:#f85149}
.c5{stroke:#9198a1}
}
`

// plotted are the rows of the picture.
var plotted = []string{nameOurs, nameAuto, nameRueidis, namePlain, nameRedisRate, nameSingle}

// axis is logarithmic.
type axis struct {
	length   svg.Tenth
	from, to float64
}

func (a axis) at(f float64) svg.Tenth {
	part := math.Log(f/a.from) / math.Log(a.to/a.from)
	return svg.Tenth(math.Round(part * float64(a.length)))
}

// picture draws throughput and p99 against callers, of one hot key admitted.
func (r *results) picture(where string) string {
	var d svg.Drawing
	d.Printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" width="%v" height="%v" role="img" aria-labelledby="t">`, width, height, width, height)
	d.Printf(`<title id="t">Calls a second and their 99th percentile by the number of callers</title>`)
	d.Printf("<style>%s</style>", style)
	d.Rect("back", 0, 0, width, height)
	d.Text("title", plotLeft, svg.Px(28), "One hot key, all calls admitted, by the number of callers")
	d.Text("soft", plotLeft, svg.Px(48), where)
	r.plot(&d, plotLeft, "calls a second", speed, perSecondText)
	r.plot(&d, plotLeft+plotWidth+plotGutter, "99 of 100 calls take less than (µs)", p99, short)
	legend(&d)
	d.Printf("</svg>")
	return d.String()
}

func (r *results) plot(d *svg.Drawing, left svg.Tenth, title string, v value, text func(float64) string) {
	d.Group(left, plotTop)
	d.Text("name", 0, svg.Px(-10), title)
	x := axis{plotWidth, float64(callers[0]), float64(callers[len(callers)-1])}
	y := r.scale(v)
	for f := y.from; f <= y.to*1.001; f *= 10 {
		at := plotHeight - y.at(f)
		d.Line("grid", 0, at, plotWidth, at)
		d.Text("number", svg.Px(-6), at+svg.Px(4), strings.Replace(text(f), ".0", "", 1))
	}
	for _, n := range callers {
		at := x.at(float64(n))
		d.Line("grid", at, 0, at, plotHeight)
		d.Text("time", at, plotHeight+svg.Px(16), fmt.Sprint(n))
	}
	for i, row := range plotted {
		d.Printf(`<path class="line c%d" d="%s"/>`, i, r.path(row, v, x, y))
	}
	d.End()
}

// scale goes from a power of ten to one, with all values between.
func (r *results) scale(v value) axis {
	least, most := math.Inf(1), 1.0
	for _, row := range plotted {
		for _, n := range callers {
			if m := median(r.all(row, cell{admitted, n}, v)); !math.IsNaN(m) {
				least, most = min(least, m), max(most, m)
			}
		}
	}
	floor := math.Pow(10, math.Floor(math.Log10(min(least, most))))
	return axis{plotHeight, floor, max(math.Pow(10, math.Ceil(math.Log10(most))), 10*floor)}
}

func (r *results) path(row string, v value, x, y axis) string {
	text, step := "", "M"
	for _, n := range callers {
		if m := median(r.all(row, cell{admitted, n}, v)); !math.IsNaN(m) {
			text += fmt.Sprintf("%s%v %v", step, x.at(float64(n)), plotHeight-y.at(m))
			step = "L"
		}
	}
	return text
}

func legend(d *svg.Drawing) {
	const columns = 3
	for i, row := range plotted {
		x := plotLeft + svg.Px(270)*svg.Tenth(i%columns)
		y := plotTop + plotHeight + svg.Px(46) + svg.Px(24)*svg.Tenth(i/columns)
		d.Printf(`<path class="line c%d" d="M%v %vh%v"/>`, i, x, y-svg.Px(4), svg.Px(22))
		d.Text("soft", x+svg.Px(30), y, legendOf(row))
	}
}

// legendOf names the limiter's own rows more fully than tables do.
func legendOf(row string) string {
	text := strings.ReplaceAll(row, "`", "")
	if strings.HasPrefix(text, "fixed") {
		return "ratelimitgen, " + text
	}
	return text
}
