package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// pipelined is the row of redis-benchmark, which calls our script from 50
// connections with 50 calls on the way in each: what the server can do. The
// program cuts arguments at zero bytes, so the script has the first one in it,
// and gets as many letters in its place.
func pipelined(l *lab, slice time.Duration) *contender {
	p := &blaster{lab: l, slice: slice, calls: 20_000}
	return &contender{
		name: namePipelined, often: true, whole: p.measure,
		only: func(at cell) bool { return at == cell{admitted, 1024} },
	}
}

type blaster struct {
	lab   *lab
	slice time.Duration
	calls int // of a slice, as many as the last one tells
}

// withArgument is the text of s with its first argument in it.
func withArgument(s script, argument string) string {
	var literal strings.Builder
	for i := range len(argument) {
		fmt.Fprintf(&literal, `\%03d`, argument[i])
	}
	return "ARGV[1] = '" + literal.String() + "'\n" + s.text
}

// installed reports whether there is a redis-benchmark.
func installed() bool {
	_, err := exec.LookPath("redis-benchmark")
	return err == nil
}

func (b *blaster) measure(cell) (sample, error) {
	args := ourScript.args(plenty)
	sha, err := b.lab.load(withArgument(ourScript, args[0]))
	if err == nil {
		err = b.lab.empty()
	}
	if err == nil {
		err = b.lab.admin.ConfigResetStat(context.Background()).Err()
	}
	if err != nil {
		return sample{}, err
	}
	s, err := b.run(sha, strings.Repeat("x", len(args[0])), args[1])
	if err == nil {
		err = b.counted()
	}
	b.calls = max(int(s.rate*b.slice.Seconds())/100*100, 10_000)
	return s, err
}

func (b *blaster) run(sha string, args ...string) (sample, error) {
	host, port, _ := strings.Cut(b.lab.server.Addr(), ":")
	command := exec.Command("redis-benchmark", append([]string{"-h", host, "-p", port, "-P", "50",
		"-n", strconv.Itoa(b.calls), "--csv", "evalsha", sha, "1", keys[hot]}, args...)...)
	out, err := command.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("redis-benchmark: %w: %s", err, out)
	}
	return parseRun(string(out))
}

// parseRun reads the line under the heads "test", "rps", ..., "p50_latency_ms",
// ..., "p99_latency_ms".
func parseRun(text string) (sample, error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 2 {
		return sample{}, errors.Join(err, fmt.Errorf("redis-benchmark says %q", text))
	}
	values := map[string]float64{}
	for i, head := range lines[0] {
		values[head], _ = strconv.ParseFloat(lines[1][i], 64)
	}
	s := sample{rate: values["rps"], p50: 1000 * values["p50_latency_ms"], p99: 1000 * values["p99_latency_ms"]}
	if s.rate == 0 || s.p99 == 0 {
		err = fmt.Errorf("redis-benchmark says %q", text)
	}
	return s, err
}

// counted looks whether the server has run the script so often, without a fault.
func (b *blaster) counted() error {
	text, err := b.lab.admin.Info(context.Background(), "commandstats").Result()
	if err != nil {
		return err
	}
	_, line, _ := strings.Cut(text, "cmdstat_evalsha:")
	line, _, _ = strings.Cut(line, "\r")
	if !strings.HasPrefix(line, fmt.Sprintf("calls=%d,", b.calls)) || !strings.HasSuffix(line, "failed_calls=0") {
		return fmt.Errorf("of redis-benchmark's %d calls the server counts %q", b.calls, line)
	}
	return nil
}
