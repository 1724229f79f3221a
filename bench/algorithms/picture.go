package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/ratelimitgen/ratelimitgen/bench/svg"
	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// The places of the picture.
var (
	width      = svg.Px(900)
	left       = svg.Px(36)  // of the first column
	column     = svg.Px(400) // a plot
	gutter     = svg.Px(46)  // between the columns
	top        = svg.Px(112) // of the first row's plots
	rowHeight  = svg.Px(114)
	plotHeight = svg.Px(64)
)

const (
	binLength  = 2 * time.Second // of the bars
	stepLength = time.Second     // of the areas
	mostCalls  = 10              // that a bar shows
	mostWindow = 66              // that an area shows
)

// style has blue for what passes, and orange for what passes above the limit,
// on a light ground or a dark one. It does without variables, which not every
// program that shows pictures knows.
const style = `
text{font:12px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#59636e}
.title{font-size:17px;font-weight:600;fill:#1f2328}
.name{font-size:13px;font-weight:600;fill:#1f2328}
.number{text-anchor:end;font-size:11px}
.time{text-anchor:middle;font-size:11px}
.right{text-anchor:end}
.over{text-anchor:end;fill:#bc4c00;font-weight:600}
.back{fill:#fff}
.grid{stroke:#d1d9e0;fill:none}
.limit{stroke:#1f2328;fill:none;stroke-dasharray:4 3}
.offered{fill:#d1d9e0}
.passes{fill:#0969da}
.above{fill:#e16f24}
@media(prefers-color-scheme:dark){
text{fill:#9198a1}
.title,.name{fill:#f0f6fc}
.over{fill:#f0883e}
.back{fill:#0d1117}
.grid{stroke:#30363d}
.limit{stroke:#f0f6fc}
.offered{fill:#3d444d}
.passes{fill:#4493f8}
.above{fill:#f0883e}
}
`

// picture draws what each algorithm admits of the same load over time.
func picture() string {
	rows := loadRules()
	height := top + rowHeight*svg.Tenth(len(rows))
	var d svg.Drawing
	d.Printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" width="%v" height="%v" role="img" aria-labelledby="t">`, width, height, width, height)
	d.Printf(`<title id="t">What each algorithm admits of the same calls over six minutes, at limit=%d window=1m</title>`, loadLimit)
	d.Printf("<style>%s</style>", style)
	window := windowScale()
	d.Printf(`<clipPath id="above"><rect x="0" y="0" width="%v" height="%v"/></clipPath>`, column, plotHeight-window.at(loadLimit))
	d.Rect("back", 0, 0, width, height)
	drawHead(&d)
	for i, r := range rows {
		drawRow(&d, r, top+rowHeight*svg.Tenth(i))
	}
	for x := range svg.Tenth(2) {
		d.Text("time", left+x*(column+gutter)+column/2, height-svg.Px(10), "time in minutes and seconds")
	}
	d.Printf("</svg>")
	return d.String()
}

func callScale() scale   { return scale{plotHeight, mostCalls} }
func windowScale() scale { return scale{plotHeight, mostWindow} }

func drawHead(d *svg.Drawing) {
	d.Text("title", left, svg.Px(28), fmt.Sprintf("The same %d calls under each algorithm: limit=%d window=1m", len(arrivals()), loadLimit))
	d.Text("soft", left, svg.Px(50), "Bursts about 1:20, where the fixed window ends, and 3:00, where the minute does; twice the limit from 4:00 to 5:20.")
	d.Group(left, svg.Px(66))
	d.Text("soft", 0, svg.Px(9), "Calls in 2 s:")
	explain(d, "offered", svg.Px(84), "made")
	explain(d, "passes", svg.Px(144), "passed; of leaky those whose turn it is")
	d.End()
	d.Group(left+column+gutter, svg.Px(66))
	d.Text("soft", 0, svg.Px(9), "Passed in the minute before:")
	explain(d, "passes", svg.Px(186), "up to the limit")
	explain(d, "above", svg.Px(302), "above it")
	d.End()
}

// explain says what a colour means.
func explain(d *svg.Drawing, class string, x svg.Tenth, text string) {
	d.Rect(class, x, 0, svg.Px(9), svg.Px(9))
	d.Text("soft", x+svg.Px(14), svg.Px(9), text)
}

// drawRow draws the two plots of a rule.
func drawRow(d *svg.Drawing, r *ratelimit.Rule, y svg.Tenth) {
	goes := admitted(r)
	d.Group(left, y)
	d.Text("name", 0, svg.Px(-9), rowTitle(r))
	d.Text("right", column, svg.Px(-9), fmt.Sprintf("%d of %d pass", len(goes), len(arrivals())))
	drawCalls(d, goes)
	d.End()
	d.Group(left+column+gutter, y)
	drawWindow(d, goes)
	d.End()
}

func rowTitle(r *ratelimit.Rule) string {
	switch {
	case r.Calendar != 0:
		return fmt.Sprintf("fixed, window=%v", r.Calendar)
	case r.Burst > 0:
		return fmt.Sprintf("%v burst=%d", r.Algorithm, r.Burst)
	}
	return r.Algorithm.String()
}

func drawCalls(d *svg.Drawing, goes []time.Duration) {
	y := callScale()
	x := scale{column, int(loadEnd / binLength)}
	drawAxes(d, y, 0, mostCalls/2, mostCalls)
	d.Printf(`<path class="offered" d="%s"/>`, bars(perBin(arrivals(), binLength), x, y))
	d.Printf(`<path class="passes" d="%s"/>`, bars(perBin(goes, binLength), x, y))
}

func drawWindow(d *svg.Drawing, goes []time.Duration) {
	y := windowScale()
	counts := withinLast(loadWindow, goes, stepLength)
	x := scale{column, len(counts)}
	most, class := slices.Max(counts), "right"
	if most > loadLimit {
		class = "over"
	}
	d.Text(class, column, svg.Px(-9), fmt.Sprintf("at most %d in a minute", most))
	drawAxes(d, y, 0, loadLimit, 2*loadLimit)
	path := steps(counts, x, y)
	d.Printf(`<path class="passes" d="%s"/>`, path)
	d.Printf(`<path class="above" clip-path="url(#above)" d="%s"/>`, path)
	d.Line("limit", 0, y.length-y.at(loadLimit), column, y.length-y.at(loadLimit))
}

// drawAxes draws lines at numbers of calls, and marks the minutes.
func drawAxes(d *svg.Drawing, y scale, numbers ...int) {
	for _, n := range numbers {
		at := y.length - y.at(n)
		d.Line("grid", 0, at, column, at)
		d.Text("number", svg.Px(-5), at+svg.Px(4), fmt.Sprint(n))
	}
	minutes := scale{column, int(loadEnd / time.Minute)}
	for i := range minutes.most + 1 {
		at := minutes.at(i)
		d.Line("grid", at, y.length, at, y.length+svg.Px(4))
		d.Text("time", at, y.length+svg.Px(16), fmt.Sprintf("%d:00", i))
	}
}
