//go:build unix

package generator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/ratelimitgen/ratelimitgen/generator"
)

// The modes of the loads that a generation is compared with.
const (
	naming = packages.NeedName | packages.NeedFiles
	typing = naming | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax
)

// BenchmarkThousandPackages compares a generation for a module of 1,000
// packages, of which three have directives, with what it cannot do without:
// listing the packages, type-checking the three, and reading every file once.
func BenchmarkThousandPackages(b *testing.B) {
	module := newModule(b)
	annotated := []string{"./p0", "./p500", "./p999"}
	for i := range 1000 {
		dir := filepath.Join(module, fmt.Sprintf("p%d", i))
		for j := range 3 {
			write(b, filepath.Join(dir, fmt.Sprintf("f%d.go", j)), plainFile(i, j))
		}
	}
	for _, p := range annotated {
		write(b, filepath.Join(module, p, "limited.go"), variant(filepath.Base(p)))
	}
	inTurns(b, module, "./...", func() {
		load(b, module, naming, "./...")
		load(b, module, typing, annotated...)
		readAll(b, module)
	})
}

// BenchmarkFiveHundredMethods compares a generation for a package of 500
// methods with directives with a bare load of the package.
func BenchmarkFiveHundredMethods(b *testing.B) {
	module := newModule(b)
	var src strings.Builder
	src.WriteString("package p\n\nimport \"context\"\n\ntype T struct{}\n")
	for i := range 500 {
		fmt.Fprintf(&src, "\n//ratelimit:key=\"user:\"+user limit=%d window=1m sliding\n", i+1)
		fmt.Fprintf(&src, "func (t *T) M%d(ctx context.Context, user string, n int) (string, error) { return user, nil }\n", i)
	}
	write(b, filepath.Join(module, "p/a.go"), src.String())
	inTurns(b, module, "./p", func() { load(b, module, typing, "./p") })
}

// inTurns runs a generation and its measure in turns, and reports their
// ratio and the most memory that generating took.
func inTurns(b *testing.B, module, pattern string, measure func()) {
	generateOnce := func() {
		result, err := generator.Generate(b.Context(), generator.Config{Dir: module, Patterns: []string{pattern}})
		if err != nil || result.Failed() {
			b.Fatalf("%v\n%s", err, problems(result))
		}
	}
	lateCollection(b, generateOnce) // fills the build cache
	peak := peakMemory(b)
	measure()
	var ours, theirs cost
	for b.Loop() {
		lateCollection(b, func() { ours.add(b, generateOnce) })
		theirs.add(b, measure)
	}
	b.ReportMetric(float64(ours.wall)/float64(theirs.wall), "ratio")
	b.ReportMetric(float64(ours.cpu)/float64(theirs.cpu), "cpu-ratio")
	b.ReportMetric(peak, "peak-MB")
	b.ReportMetric(ours.wall.Seconds()/float64(b.N), "s/generation")
	b.ReportMetric(theirs.wall.Seconds()/float64(b.N), "s/measure")
}

// cost is the time that something took.
type cost struct{ wall, cpu time.Duration }

// add adds the time that f takes after a collection, as in a process that has
// done nothing else.
func (c *cost) add(b *testing.B, f func()) {
	runtime.GC()
	start, cpu := time.Now(), processorTime(b)
	f()
	c.wall, c.cpu = c.wall+time.Since(start), c.cpu+processorTime(b)-cpu
}

// lateCollection calls f as the command would: with no collection before the
// heap is large.
func lateCollection(b *testing.B, f func()) {
	b.Helper()
	const large = 64 << 20
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(large)
	f()
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
}

func load(b *testing.B, module string, mode packages.LoadMode, patterns ...string) {
	config := &packages.Config{Context: b.Context(), Dir: module, Mode: mode}
	if _, err := packages.Load(config, patterns...); err != nil {
		b.Fatal(err)
	}
}

func readAll(b *testing.B, module string) {
	files, err := filepath.Glob(filepath.Join(module, "*/*.go"))
	if err != nil || len(files) == 0 {
		b.Fatal(err)
	}
	for _, file := range files {
		read(b, file)
	}
}

func plainFile(i, j int) string {
	var src strings.Builder
	fmt.Fprintf(&src, "package p%d\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n", i)
	for k := range 20 {
		fmt.Fprintf(&src, "\n// F%d_%d formats a number.\nfunc F%d_%d(ctx context.Context, n int) (string, error) {\n\treturn fmt.Sprint(n), ctx.Err()\n}\n", j, k, j, k)
	}
	return src.String()
}

// processorTime is that of this process and of the go commands that it ran,
// which other programs on the machine hardly change.
func processorTime(b *testing.B) time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if err := syscall.Getrusage(who, &usage); err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return sum
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory is the most memory that this process had so far, in MB; 0 where
// the system does not tell.
func peakMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	m := highWater.FindSubmatch(status)
	if m == nil {
		return 0
	}
	kb, err := strconv.Atoi(string(m[1]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}
