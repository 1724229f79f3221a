package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const head = `# Real code

Each module is copied from the module cache, a directive is put on every exported method whose last result is an error, methods of interfaces included,
and the result is generated and built:

    go run ./generator/internal/realcode -o docs/real-code.md

Seconds are those of the generation of all packages of a row, with what the go command must build for it, on two cores that had other work as well.

| module | version | packages | methods | refused | seconds | builds |
| --- | --- | --- | ---: | ---: | ---: | --- |
`

func table(rows []*row) string {
	var b strings.Builder
	b.WriteString(head)
	methods, refused := 0, 0
	reasons := map[string]int{}
	for _, r := range rows {
		b.WriteString(r.line())
		methods += r.methods
		refused += r.refused
		for reason, n := range r.reasons {
			reasons[r.path+": "+reason] += n
		}
	}
	fmt.Fprintf(&b, "\n%d of %d methods have a wrapper, %.2f%%.\n", methods-refused, methods, 100*float64(methods-refused)/float64(max(methods, 1)))
	if len(reasons) > 0 {
		b.WriteString("\n## Refusals\n\n")
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(&b, "- %d: %s\n", reasons[reason], reason)
	}
	for _, r := range rows {
		if r.build != "" {
			fmt.Fprintf(&b, "\n%s does not build:\n\n%s\n", r.path, r.build)
		}
	}
	return b.String()
}

func (r *row) line() string {
	builds := "yes"
	if r.build != "" {
		builds = "no"
	}
	packages := strings.Join(r.packages, " ")
	return fmt.Sprintf("| %s | %s | `%s` | %d | %d | %.1f | %s |\n", r.path, r.version, packages, r.methods, r.refused, r.generate.Seconds(), builds)
}

var place = regexp.MustCompile(`\S+\.go:\d+`)

// reason is the text of a problem without what differs from one to the next.
func reason(text string) string { return place.ReplaceAllString(text, "another one") }
