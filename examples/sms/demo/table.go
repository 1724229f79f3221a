package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	ratelimit "github.com/ratelimitgen/ratelimitgen/runtime"
)

// gateway keeps the last text that the service sent.
type gateway struct{ line string }

func (g *gateway) Write(p []byte) (int, error) {
	g.line = strings.TrimSpace(string(p))
	return len(p), nil
}

type table struct {
	out     io.Writer
	gateway *gateway
}

const columns = "  %-24s %-9s %-10s %-12s %s\n"

func (t *table) head(title string) {
	fmt.Fprintf(t.out, "\n%s\n", title)
	fmt.Fprintf(t.out, columns, "call", "decision", "remaining", "retry after", "what the caller got")
}

// row makes a call, shows it and returns the time to wait, if it was refused.
func (t *table) row(ctx context.Context, call string, do func(context.Context) error) time.Duration {
	ctx, recorder := ratelimit.WithRecorder(ctx)
	t.gateway.line = ""
	err := do(ctx)
	answer := t.gateway.line
	if err != nil {
		answer = "error: " + err.Error()
	}
	d := recorder.Decisions()[0]
	decision, wait := "passed", "-"
	if !d.Allowed {
		decision, wait = "refused", roundUp(d.RetryAfter).String()
	}
	fmt.Fprintf(t.out, columns, call, decision, fmt.Sprint(d.Remaining), wait, answer)
	return d.RetryAfter
}

func (t *table) pause(d time.Duration, why string) {
	fmt.Fprintf(t.out, "  ... %v later (%s)\n", roundUp(d), why)
	time.Sleep(d)
}

func roundUp(d time.Duration) time.Duration {
	return (d + time.Millisecond - 1).Truncate(time.Millisecond)
}
